package dev.waymark.cli.run;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A program for the runner to run: does what its arguments say, in order. It reports the way any
 * program may, with nothing but the three variables of its environment.
 */
final class ScriptedProgram {

  private static String oldToken;

  /** What the next reports have besides, as JSON. */
  private static String moreMetrics = "";

  private ScriptedProgram() {}

  public static void main(String[] words) throws Exception {
    for (int i = 0; i < words.length; i++) {
      switch (words[i]) {
        case "out" -> System.out.println(words[++i]);
        case "err" -> System.err.println(words[++i]);
        case "env" -> System.out.println(words[i + 1] + "=" + System.getenv(words[++i]));
        case "agent" -> System.out.println("agent " + System.getProperty("test.agent"));
        case "in" -> System.out.println("in " + new String(System.in.readAllBytes()).strip());
        case "directory" -> System.out.println("directory " + Path.of("").toAbsolutePath());
        case "permissions" -> printPermissions();
        case "metric" ->
            moreMetrics += ",{\"name\":\"%s\",\"value\":\"%s\"}".formatted(words[++i], words[++i]);
        case "report" -> {
          String percent = words[++i];
          System.out.println("reported " + percent + ": " + report(percent, token()));
        }
        case "until-token-changes" -> awaitNewToken();
        case "until-old-token-is-refused" -> awaitRefusal();
        case "report-when-ended" -> {
          String percent = words[++i];
          Runtime.getRuntime().addShutdownHook(new Thread(() -> reportUnchecked(percent)));
        }
        case "wait" -> TimeUnit.MINUTES.sleep(2);
        case "exit" -> System.exit(Integer.parseInt(words[++i]));
        case "exit-if-rank" -> {
          if (System.getenv("JOB_COMPLETION_INDEX").equals(words[i + 1])) {
            System.exit(Integer.parseInt(words[i + 2]));
          }
          i += 2;
        }
        default -> throw new IllegalArgumentException(words[i]);
      }
    }
  }

  private static void printPermissions() throws IOException {
    Path token = tokenFile();
    Path ca = Path.of(System.getenv("KUBEFLOW_TRAINER_SERVER_CA_CERT"));
    for (Path path : new Path[] {token.getParent(), token.toRealPath().getParent(), token, ca}) {
      System.out.println(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    }
  }

  private static void awaitNewToken() throws IOException, InterruptedException {
    oldToken = token();
    while (token().equals(oldToken)) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private static void awaitRefusal() throws Exception {
    int answer = report("0", oldToken);
    while (answer == 200) {
      TimeUnit.MILLISECONDS.sleep(200);
      answer = report("0", oldToken);
    }
    System.out.println("old token: " + answer);
  }

  private static void reportUnchecked(String percent) {
    try {
      System.out.println("reported " + percent + ": " + report(percent, token()));
    } catch (IOException | GeneralSecurityException e) {
      e.printStackTrace();
    }
  }

  private static int report(String percent, String token)
      throws IOException, GeneralSecurityException {
    HttpsURLConnection post =
        (HttpsURLConnection) new URL(System.getenv("KUBEFLOW_TRAINER_SERVER_URL")).openConnection();
    post.setSSLSocketFactory(trust().getSocketFactory());
    post.setRequestMethod("POST");
    post.setDoOutput(true);
    post.setRequestProperty("Authorization", "Bearer " + token);
    post.setRequestProperty("Content-Type", "application/json");
    String status =
        "{\"trainerStatus\":{\"progressPercentage\":%s,\"lastUpdatedTime\":\"%s\",\"metrics\":"
            + "[{\"name\":\"loss\",\"value\":\"0.5\"},{\"name\":\"bad\\u001b[2J\",\"value\":\"x\"}%s]}}";
    post.getOutputStream()
        .write(
            status.formatted(percent, Instant.now(), moreMetrics).getBytes(StandardCharsets.UTF_8));
    return post.getResponseCode();
  }

  private static String token() throws IOException {
    return Files.readString(tokenFile());
  }

  private static Path tokenFile() {
    return Path.of(System.getenv("KUBEFLOW_TRAINER_SERVER_TOKEN"));
  }

  private static SSLContext trust() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    Path file = Path.of(System.getenv("KUBEFLOW_TRAINER_SERVER_CA_CERT"));
    try (InputStream in = Files.newInputStream(file)) {
      Certificate ca = CertificateFactory.getInstance("X.509").generateCertificate(in);
      store.setCertificateEntry("ca", ca);
    }
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }
}
