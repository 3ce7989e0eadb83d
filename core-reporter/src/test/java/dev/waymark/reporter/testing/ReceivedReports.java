package dev.waymark.reporter.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A status endpoint in this JVM that takes whatever comes, with the settings that make the reporter
 * find it. The reporter keeps its settings for as long as its JVM lives, so there is one endpoint,
 * and each test class has a JVM of its own.
 */
public final class ReceivedReports {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static ReceivedReports inThisJvm;

  private final List<Status> all = new CopyOnWriteArrayList<>();
  private int taken;

  private ReceivedReports() {}

  public static synchronized ReceivedReports inThisJvm() throws Exception {
    if (inThisJvm == null) {
      inThisJvm = new ReceivedReports();
      inThisJvm.listen();
    }
    return inThisJvm;
  }

  /** The last words of the next so many runs that nobody has asked for yet, oldest first. */
  public List<Status> lastWords(int count) {
    await().atMost(PATIENCE).until(() -> ended().size() >= taken + count);
    List<Status> words = ended().subList(taken, taken + count);
    taken += count;
    return words;
  }

  public Status lastWord() {
    return lastWords(1).get(0);
  }

  /** {@link #lastWord()} of a run during which something happens time and again. */
  public Status lastWordDuring(Runnable happens) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              happens.run();
              return ended().size() > taken;
            });
    return lastWord();
  }

  /** Waits until the newest report is in this state; an earlier one may still be on its way. */
  public void awaitState(String state) {
    await().atMost(PATIENCE).until(() -> !all.isEmpty() && newest().state().equals(state));
  }

  /**
   * Repeats what gives rise to a new report until one is as expected. The first that comes may have
   * been drawn before, and what is sampled may not be due at once.
   */
  public void awaitWhile(Runnable goesOn, Predicate<Status> expected) {
    for (int patience = 20; patience > 0; patience--) {
      int before = all.size();
      goesOn.run();
      await().atMost(PATIENCE).until(() -> all.size() > before);
      if (expected.test(newest())) {
        return;
      }
    }
    throw new AssertionError("not as expected: " + newest());
  }

  public List<Status> all() {
    return List.copyOf(all);
  }

  private Status newest() {
    return all.get(all.size() - 1);
  }

  /** One of each run: what is sent again for want of an answer may arrive twice. */
  private List<Status> ended() {
    Map<String, Status> byRun = new LinkedHashMap<>();
    all.stream().filter(Status::isEnd).forEach(end -> byRun.putIfAbsent(end.metric("run"), end));
    return List.copyOf(byRun.values());
  }

  private void listen() throws IOException, GeneralSecurityException, InterruptedException {
    Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "status-endpoint");
    KeyStore keys = newKeys(folder.resolve("keys.p12"));
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls(keys)));
    server.createContext(
        "/status",
        exchange -> {
          try (InputStream body = exchange.getRequestBody()) {
            all.add(new Status(new String(body.readAllBytes(), UTF_8)));
          }
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();

    Path ca = folder.resolve("ca.pem");
    Base64.Encoder pem = Base64.getMimeEncoder(64, new byte[] {'\n'});
    Files.writeString(
        ca,
        "-----BEGIN CERTIFICATE-----\n"
            + pem.encodeToString(keys.getCertificate("server").getEncoded())
            + "\n-----END CERTIFICATE-----\n");
    Path token = Files.writeString(folder.resolve("token"), "a-token");
    System.setProperty(
        "kubeflow.trainer.server.url",
        "https://127.0.0.1:" + server.getAddress().getPort() + "/status");
    System.setProperty("kubeflow.trainer.server.ca.cert", ca.toString());
    System.setProperty("kubeflow.trainer.server.token", token.toString());
    System.setProperty("waymark.interval", "1");
  }

  /** The JDK has no way to make a certificate but its own tool. */
  private static KeyStore newKeys(Path file)
      throws IOException, GeneralSecurityException, InterruptedException {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=status endpoint of a test",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                file.toString())
            .inheritIO()
            .start();
    if (keytool.waitFor() != 0) {
      throw new IllegalStateException("keytool failed");
    }
    return KeyStore.getInstance(file.toFile(), PASSWORD);
  }

  private static SSLContext tls(KeyStore keys) throws GeneralSecurityException {
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(managers.getKeyManagers(), null, null);
    return tls;
  }
}
