package dev.waymark.controller;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.waymark.status.TrainJobKey;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Makes the archive of loaded classes with which the start script starts: starts the packaged
 * controller as the script does, against an API server in memory, lets it do a bit of everything,
 * and has its JVM write down what it had loaded. Run when the module is packaged.
 *
 * <p>Which classes are loaded varies a little from run to run, so the image's archive is made of a
 * list that is written down by the profile {@code class-list} now and then.
 */
public final class ArchiveTraining {

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String TRAINER = "/apis/trainer.kubeflow.org/v1alpha1";
  private static final String ISSUER = "https://issuer.example";
  private static final TrainJobKey DEMO = new TrainJobKey("team-a", "demo");
  private static final String JOBSET =
      "/apis/jobset.x-k8s.io/v1alpha2/namespaces/team-a/jobsets/demo";

  /**
   * The arguments are the folder of the packaged controller and, for a list of classes instead of
   * an archive, its file.
   */
  public static void main(String[] arguments) throws Exception {
    Path target = Path.of(arguments[0]).toAbsolutePath(); // the script runs in its own folder
    boolean list = arguments.length > 1;
    Path result = list ? Path.of(arguments[1]) : target.resolve("waymark-controller.jsa");
    Files.deleteIfExists(result);
    Path work = Files.createTempDirectory(target, "archive-training");
    TestCertificate.create().writeTo(work);
    try (FakeApiServer apiServer =
        new FakeApiServer(work.resolve("tls.crt"), work.resolve("tls.key"))) {
      apiServer.offerWebSockets();
      RSAKey key = new RSAKeyGenerator(2048).keyID("training").generate();
      prepare(apiServer, key);
      int health = ControllerEndpoints.freePort();
      int status = ControllerEndpoints.freePort();
      int metrics = ControllerEndpoints.freePort();
      Path config = Files.writeString(work.resolve("config.yaml"), config(health, status, metrics));
      ProcessBuilder builder =
          new ProcessBuilder(
              target.resolve("waymark-controller").toString(),
              "--config=" + config,
              "--cert-dir=" + work,
              "--operator-namespace=ops");
      builder
          .environment()
          .put(
              "WAYMARK_JAVA_OPTS",
              (list ? "-Xshare:off -XX:DumpLoadedClassList=" : "-XX:ArchiveClassesAtExit=")
                  + result
                  + " "
                  + connection(apiServer.url(), work.resolve("ca.crt")));
      builder.environment().remove("KUBECONFIG");
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      builder.redirectErrorStream(true).redirectOutput(work.resolve("log").toFile());
      Process controller = builder.start();
      try {
        exercise(apiServer, controller, token(key), health, status, metrics);
      } catch (IllegalStateException e) {
        System.err.println(Files.readString(work.resolve("log")));
        throw e;
      } finally {
        controller.destroy();
        if (!controller.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
          controller.destroyForcibly();
        }
      }
    }
    if (!Files.exists(result)) {
      throw new IllegalStateException(Files.readString(work.resolve("log")));
    }
    System.exit(0);
  }

  private static void exercise(
      FakeApiServer apiServer,
      Process controller,
      String token,
      int health,
      int status,
      int metrics)
      throws Exception {
    HttpClient client = HttpClient.newBuilder().sslContext(trustingAll()).build();
    await(controller, "ready", () -> code(client, "http", health, "/readyz") == 200);
    apiServer.put(
        TRAINER + "/namespaces/team-a/trainjobs/demo",
        """
        {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob",
         "metadata": {"name": "demo", "namespace": "team-a"},
         "spec": {"runtimeRef": {"name": "torch"},
           "trainer": {"numNodes": 2, "env": [{"name": "A", "value": "b"}],
             "resourcesPerNode": {"requests": {"cpu": "1", "memory": "1Gi"}}}}}
        """);
    await(controller, "a JobSet", () -> apiServer.get(JOBSET).isPresent());
    apiServer.change(
        JOBSET,
        """
        {"status": {"replicatedJobsStatus": [{"name": "node", "ready": 1, "succeeded": 0,
           "failed": 0, "active": 1, "suspended": 0}]}}
        """);
    await(
        controller,
        "a status",
        () ->
            apiServer
                .get(TRAINER + "/namespaces/team-a/trainjobs/demo")
                .orElseThrow()
                .at("/status/jobsStatus")
                .isArray());
    code(client, "https", metrics, "/metrics");
    await(controller, "a report", () -> report(client, status, token) == 200);
  }

  /** Posts a report with the token that a pod would have. */
  private static int report(HttpClient client, int port, String token) {
    return code(
        client,
        HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + DEMO.statusPath()))
            .header("Authorization", "Bearer " + token)
            .POST(
                BodyPublishers.ofString(
                    """
                    {"trainerStatus": {"progressPercentage": 1, "estimatedRemainingSeconds": 99,
                      "metrics": [{"name": "loss", "value": "0.5"}],
                      "lastUpdatedTime": "2026-01-02T03:04:05Z"}}
                    """)));
  }

  private static String token(RSAKey key) throws JOSEException {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build(),
            new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience(DEMO.audience())
                .expirationTime(Date.from(Instant.now().plus(Duration.ofHours(1))))
                .claim("kubernetes.io", Map.of("namespace", DEMO.namespace()))
                .build());
    token.sign(new RSASSASigner(key));
    return token.serialize();
  }

  private static void prepare(FakeApiServer apiServer, RSAKey key) {
    apiServer.serve(
        "/.well-known/openid-configuration",
        "{\"issuer\": \"" + ISSUER + "\", \"id_token_signing_alg_values_supported\": [\"RS256\"]}");
    apiServer.serve("/openid/v1/jwks", new JWKSet(key).toPublicJWKSet().toString());
    apiServer.put(
        "/api/v1/namespaces/ops/secrets/kubeflow-trainer-webhook-cert",
        "{\"apiVersion\": \"v1\", \"kind\": \"Secret\", \"metadata\": {\"name\":"
            + " \"kubeflow-trainer-webhook-cert\", \"namespace\": \"ops\"}, \"data\": {\"ca.crt\":"
            + " \""
            + Base64.getEncoder().encodeToString("ca".getBytes(StandardCharsets.UTF_8))
            + "\"}}");
    apiServer.put(
        TRAINER + "/clustertrainingruntimes/torch",
        """
        {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "ClusterTrainingRuntime",
         "metadata": {"name": "torch"},
         "spec": {"mlPolicy": {"numNodes": 1, "torch": {}}, "template": {"spec": {
           "replicatedJobs": [{"name": "node", "template": {
             "metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
             "spec": {"template": {"spec": {"containers": [
               {"name": "node", "image": "registry.example/app:1"}]}}}}}]}}}}
        """);
  }

  private static String config(int health, int status, int metrics) {
    return """
    apiVersion: config.trainer.kubeflow.org/v1alpha1
    kind: Configuration
    webhook: {port: %d}
    certManagement: {enable: false}
    health: {healthProbeBindAddress: "127.0.0.1:%d"}
    metrics: {bindAddress: "127.0.0.1:%d"}
    statusServer: {port: %d}
    """
        .formatted(ControllerEndpoints.freePort(), health, metrics, status);
  }

  /**
   * To read a kubeconfig the client loads its models of everything, which in a pod it never does.
   */
  private static String connection(String server, Path authority) {
    return "-Dkubernetes.auth.tryKubeConfig=false -Dkubernetes.auth.tryServiceAccount=false"
        + " -Dkubernetes.auth.token=fake -Dkubernetes.certs.ca.file="
        + authority
        + " -Dkubernetes.master="
        + server;
  }

  private static int code(HttpClient client, String scheme, int port, String path) {
    return code(client, HttpRequest.newBuilder(URI.create(scheme + "://127.0.0.1:" + port + path)));
  }

  private static int code(HttpClient client, HttpRequest.Builder request) {
    try {
      return client
          .send(request.timeout(Duration.ofSeconds(10)).build(), BodyHandlers.discarding())
          .statusCode();
    } catch (IOException e) {
      return 0;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void await(Process controller, String what, BooleanSupplier come)
      throws InterruptedException {
    Instant limit = Instant.now().plus(LIMIT);
    while (!come.getAsBoolean()) {
      if (!controller.isAlive() || Instant.now().isAfter(limit)) {
        throw new IllegalStateException("the controller did not come to this: " + what);
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private static SSLContext trustingAll() throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustAll()}, null);
    return context;
  }

  /** The certificate is made up a moment ago, for this run only. */
  private static final class TrustAll extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  private ArchiveTraining() {}
}
