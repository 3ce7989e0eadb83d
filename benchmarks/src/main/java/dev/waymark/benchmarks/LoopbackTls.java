package dev.waymark.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * A certificate for 127.0.0.1 made by keytool, as the server's context and as the PEM file that a
 * client trusts.
 *
 * @param context for the server
 * @param certificate PEM file
 */
record LoopbackTls(SSLContext context, Path certificate) {

  private static final String PASSWORD = "changeit";

  static LoopbackTls create(Path folder, String name) throws IOException {
    Path store = folder.resolve(name + ".p12");
    Path certificate = folder.resolve(name + ".crt");
    Files.deleteIfExists(store);
    keytool(
        List.of(
            "-genkeypair",
            "-alias",
            name,
            "-keyalg",
            "EC",
            "-dname",
            "CN=" + name,
            "-ext",
            "SAN=IP:127.0.0.1",
            "-validity",
            "2",
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            PASSWORD));
    keytool(
        List.of(
            "-exportcert",
            "-rfc",
            "-alias",
            name,
            "-keystore",
            store.toString(),
            "-storepass",
            PASSWORD,
            "-file",
            certificate.toString()));
    try (InputStream in = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(keys, PASSWORD.toCharArray());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(factory.getKeyManagers(), null, null);
      return new LoopbackTls(context, certificate);
    } catch (GeneralSecurityException e) {
      throw new IOException("the certificate made by keytool cannot be used", e);
    }
  }

  /** The server's side of TLS on an accepted connection; the handshake is still to come. */
  SSLSocket accept(Socket connection) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(
                    connection,
                    connection.getInetAddress().getHostAddress(),
                    connection.getPort(),
                    true);
    socket.setUseClientMode(false);
    return socket;
  }

  private static void keytool(List<String> arguments) throws IOException {
    List<String> command = new java.util.ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    byte[] output = process.getInputStream().readAllBytes();
    try {
      if (process.waitFor() != 0) {
        throw new IOException("keytool failed: " + new String(output));
      }
    } catch (InterruptedException e) {
      throw new IOException("interrupted while keytool ran", e);
    }
  }
}
