package dev.waymark.reporter.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A key with a certificate for 127.0.0.1 that it has signed itself, for endpoints of tests. The
 * JDK's keytool makes it, since no class of the JDK's public API can. That takes a JVM of its own,
 * so the tests of a module share one key, which stays in the module's build folder.
 */
public final class LoopbackTls {
  private static final Path FILE = Path.of("target", "loopback.p12").toAbsolutePath();
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final String ALIAS = "server";

  private final KeyStore keys;

  private LoopbackTls(KeyStore keys) {
    this.keys = keys;
  }

  /** That of the module whose tests run. */
  public static LoopbackTls ofThisModule()
      throws IOException, GeneralSecurityException, InterruptedException {
    if (!Files.exists(FILE)) {
      make();
    }
    return new LoopbackTls(KeyStore.getInstance(FILE.toFile(), PASSWORD));
  }

  /** Another JVM may do so at the same time: it sees a whole file or none. */
  private static void make() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory(FILE.getParent(), "loopback");
    Path made = folder.resolve("keys.p12");
    keytool(made);
    Files.move(made, FILE, StandardCopyOption.ATOMIC_MOVE);
    Files.delete(folder);
  }

  private static void keytool(Path file) throws IOException, InterruptedException {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=status endpoint of a test",
                "-ext",
                "san=ip:127.0.0.1",
                "-validity",
                "3650",
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(keytool.getInputStream().readAllBytes(), UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool failed: " + output);
    }
  }

  /** Writes what a client is to trust into a file, as PEM. */
  public Path writeCertificate(Path file) throws IOException, GeneralSecurityException {
    Base64.Encoder pem = Base64.getMimeEncoder(64, new byte[] {'\n'});
    return Files.writeString(
        file,
        "-----BEGIN CERTIFICATE-----\n"
            + pem.encodeToString(keys.getCertificate(ALIAS).getEncoded())
            + "\n-----END CERTIFICATE-----\n");
  }

  /** TLS of a server that has the key. */
  public SSLContext server() throws GeneralSecurityException {
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(managers.getKeyManagers(), null, null);
    return tls;
  }

  /** TLS of a client that trusts that server. */
  public SSLContext client() throws GeneralSecurityException {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(keys);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    return tls;
  }
}
