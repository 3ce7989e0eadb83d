package dev.waymark.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.waymark.status.tls.CertificateAuthority;
import dev.waymark.status.tls.Pem;
import dev.waymark.status.tls.ServerIdentity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * What looks like a cluster to those who only read: one TrainJob that has trained, its runtime, a
 * pod and an event, by HTTPS on the loopback address. Whoever comes is let in.
 */
final class RehearsalCluster implements AutoCloseable {

  static final String TRAIN_JOB = "demo";
  static final String RUNTIME = "demo";

  private static final String ADDRESS = "127.0.0.1";
  private static final Duration VALIDITY = Duration.ofHours(1);

  private static final String TRAINER = "/apis/trainer.kubeflow.org/v1alpha1";
  private static final String NAMESPACE = "/namespaces/default";

  private static final String OF_RUNTIME =
      """
      {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "ClusterTrainingRuntime",
       "metadata": {"name": "demo", "uid": "r", "resourceVersion": "1",
         "labels": {"trainer.kubeflow.org/framework": "djl"}},
       "spec": {"mlPolicy": {"numNodes": 1, "torch": {}}, "template": {"spec": {
         "replicatedJobs": [{"name": "node", "template": {
           "metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
           "spec": {"template": {"spec": {"containers": [
             {"name": "node", "image": "registry.example/app:1",
              "resources": {"limits": {"nvidia.com/gpu": "1"}}}]}}}}}]}}}}
      """;

  private static final String OF_TRAIN_JOB =
      """
      {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob",
       "metadata": {"name": "demo", "namespace": "default", "uid": "t", "resourceVersion": "1",
         "creationTimestamp": "2026-01-02T03:04:05Z"},
       "spec": {"runtimeRef": {"apiGroup": "trainer.kubeflow.org", "kind": "ClusterTrainingRuntime",
           "name": "demo"},
         "trainer": {"image": "registry.example/app:2", "numNodes": 1,
           "env": [{"name": "A", "value": "b"}],
           "resourcesPerNode": {"limits": {"nvidia.com/gpu": "1", "memory": "8Gi"}}}},
       "status": {
         "conditions": [{"type": "Complete", "status": "True", "reason": "JobsCompleted",
           "message": "done", "lastTransitionTime": "2026-01-02T04:04:05Z"}],
         "jobsStatus": [{"name": "node", "ready": 0, "succeeded": 1, "failed": 0, "active": 0,
           "suspended": 0}],
         "trainerStatus": {"progressPercentage": 100, "estimatedRemainingSeconds": 0,
           "metrics": [{"name": "loss", "value": "0.25"}],
           "lastUpdatedTime": "2026-01-02T04:04:04.5Z"}}}
      """;

  private static final String OF_POD =
      """
      {"apiVersion": "v1", "kind": "Pod",
       "metadata": {"name": "demo-node-0-0-abcde", "namespace": "default", "uid": "p",
         "creationTimestamp": "2026-01-02T03:04:06Z",
         "labels": {"jobset.sigs.k8s.io/jobset-name": "demo",
           "jobset.sigs.k8s.io/replicatedjob-name": "node",
           "batch.kubernetes.io/job-completion-index": "0"}},
       "spec": {"containers": [{"name": "node", "image": "registry.example/app:2",
         "env": [{"name": "A", "value": "b"}],
         "resources": {"limits": {"nvidia.com/gpu": "1"}}}]},
       "status": {"phase": "Succeeded",
         "conditions": [{"type": "PodScheduled", "status": "True"}],
         "containerStatuses": [{"name": "node", "ready": false, "restartCount": 0,
           "state": {"terminated": {"exitCode": 0, "reason": "Completed"}}}]}}
      """;

  private static final String OF_EVENT =
      """
      {"apiVersion": "v1", "kind": "Event", "metadata": {"name": "e", "namespace": "default"},
       "involvedObject": {"kind": "TrainJob", "name": "demo", "uid": "t"}, "type": "Normal",
       "reason": "Created", "message": "made", "eventTime": "2026-01-02T03:04:05.123456Z"}
      """;

  /** What is answered, by path; all else isn't there. */
  private static final Map<String, String> ANSWERS =
      Map.of(
          "/version",
          "{\"major\": \"1\", \"minor\": \"36\", \"gitVersion\": \"v1.36.0\"}",
          TRAINER + NAMESPACE + "/trainjobs",
          list(OF_TRAIN_JOB),
          TRAINER + NAMESPACE + "/trainjobs/" + TRAIN_JOB,
          OF_TRAIN_JOB,
          TRAINER + NAMESPACE + "/trainingruntimes",
          list(""),
          TRAINER + "/clustertrainingruntimes",
          list(OF_RUNTIME),
          TRAINER + "/clustertrainingruntimes/" + RUNTIME,
          OF_RUNTIME,
          "/apis/batch/v1" + NAMESPACE + "/jobs",
          list(""),
          "/api/v1" + NAMESPACE + "/pods",
          list(OF_POD),
          "/api/v1" + NAMESPACE + "/events",
          list(OF_EVENT));

  private final CertificateAuthority authority;
  private final HttpsServer server;

  private RehearsalCluster(CertificateAuthority authority, HttpsServer server) {
    this.authority = authority;
    this.server = server;
  }

  /** Starts it on a free port. */
  static RehearsalCluster start() throws IOException, GeneralSecurityException {
    Instant now = Instant.now();
    CertificateAuthority authority =
        CertificateAuthority.create("CN=waymark rehearsal", VALIDITY, now);
    HttpsServer server = HttpsServer.create(new InetSocketAddress(ADDRESS, 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(tls(authority.issue(List.of(ADDRESS), VALIDITY, now))));
    server.createContext("/", RehearsalCluster::answer);
    server.start();
    return new RehearsalCluster(authority, server);
  }

  /**
   * What leads to it: with a certificate for the client too, as the administrators of many clusters
   * have one. Its key is RSA, since fabric8 7.6 reads no EC keys in PKCS #8.
   */
  String kubeconfig() throws GeneralSecurityException {
    KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
    keys.initialize(2048);
    ServerIdentity user =
        authority.issue(keys.generateKeyPair(), List.of("admin"), VALIDITY, Instant.now());
    return """
    apiVersion: v1
    kind: Config
    clusters:
      - {name: c, cluster: {server: "https://%s:%d", certificate-authority-data: %s}}
    users: [{name: u, user: {client-certificate-data: %s, client-key-data: %s}}]
    contexts: [{name: x, context: {cluster: c, user: u, namespace: default}}]
    current-context: x
    """
        .formatted(
            ADDRESS,
            server.getAddress().getPort(),
            base64(Pem.of(List.of(authority.certificate()))),
            base64(Pem.of(user.chain())),
            base64(Pem.of(user.key())));
  }

  private static SSLContext tls(ServerIdentity identity)
      throws GeneralSecurityException, IOException {
    char[] password = new char[0];
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, password);
    store.setKeyEntry(
        "server", identity.key(), password, identity.chain().toArray(X509Certificate[]::new));
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), null, null);
    return tls;
  }

  private static void answer(HttpExchange exchange) throws IOException {
    String query = exchange.getRequestURI().getQuery();
    boolean isWatch = query != null && query.contains("watch=");
    String known = isWatch ? null : ANSWERS.get(exchange.getRequestURI().getPath());
    byte[] body =
        (known == null
                ? "{\"apiVersion\": \"v1\", \"kind\": \"Status\", \"code\": 404, \"message\": \"no\"}"
                : known)
            .getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(known == null ? 404 : 200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static String list(String item) {
    return "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"metadata\": {\"resourceVersion\": \"1\"},"
        + " \"items\": ["
        + item
        + "]}";
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
