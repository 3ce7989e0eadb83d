package dev.waymark.controller;

import static org.awaitility.Awaitility.await;

import dev.waymark.status.TrainJobKey;
import dev.waymark.trainer.api.CustomResourceDefinitions;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A controller in this JVM on a real cluster, as an operator runs it: with the rights of the
 * chart's ClusterRole and no others, a certificate that somebody else keeps, on free ports.
 */
public final class RunningController implements AutoCloseable {

  private static final Path ROLE = Path.of("../charts/waymark/files/cluster-role.yaml");
  private static final String SERVICE = "kubeflow-trainer-controller-manager";
  private static final String ACCOUNT = "waymark-controller";

  private final Operator operator;
  private final List<String> fatal = new CopyOnWriteArrayList<>();
  private final int healthPort = freePort();
  private final int statusPort = freePort();
  private final int metricsPort = freePort();
  private final Controller controller;
  private final HttpClient http;

  /** What replicas share: the namespace, the account, the certificate. */
  public static final class Operator implements AutoCloseable {
    private final KubernetesClient admin;
    private final Path folder;
    private final TestCertificate certificate;
    private final ClusterRoleBinding binding;

    /** The name by which pods know the controller. */
    public String host() {
      return SERVICE + "." + admin.getNamespace() + ".svc";
    }

    /**
     * Prepares a cluster.
     *
     * @param admin client in the namespace that the controller is to live in
     * @param folder for its files, empty
     */
    public Operator(KubernetesClient admin, Path folder) throws IOException {
      this.admin = admin;
      this.folder = folder;
      certificate = TestCertificate.create(SERVICE + "." + admin.getNamespace() + ".svc");
      installTypes();
      certificate.writeTo(folder);
      admin
          .resource(
              new ServiceAccountBuilder().withNewMetadata().withName(ACCOUNT).endMetadata().build())
          .create();
      ClusterRole role =
          admin.getKubernetesSerialization().unmarshal(Files.readString(ROLE), ClusterRole.class);
      admin.resource(role).forceConflicts().serverSideApply();
      binding =
          admin
              .resource(
                  new ClusterRoleBindingBuilder()
                      .withNewMetadata()
                      .withName(admin.getNamespace())
                      .endMetadata()
                      .withNewRoleRef(
                          "rbac.authorization.k8s.io", "ClusterRole", role.getMetadata().getName())
                      .addNewSubject()
                      .withKind("ServiceAccount")
                      .withName(ACCOUNT)
                      .withNamespace(admin.getNamespace())
                      .endSubject()
                      .build())
              .create();
      Files.writeString(folder.resolve("kubeconfig"), kubeconfig());
    }

    private void installTypes() {
      for (String name : CustomResourceDefinitions.names()) {
        admin
            .resource(
                admin
                    .getKubernetesSerialization()
                    .unmarshal(
                        CustomResourceDefinitions.yaml(name), CustomResourceDefinition.class))
            .forceConflicts()
            .serverSideApply();
        admin
            .apiextensions()
            .v1()
            .customResourceDefinitions()
            .withName(name)
            .waitUntilCondition(RunningController::isEstablished, 30, TimeUnit.SECONDS);
      }
    }

    private String kubeconfig() {
      String token =
          admin
              .serviceAccounts()
              .withName(ACCOUNT)
              .tokenRequest(
                  new TokenRequestBuilder()
                      .withNewSpec()
                      .withExpirationSeconds(3600L)
                      .endSpec()
                      .build())
              .getStatus()
              .getToken();
      return """
      apiVersion: v1
      kind: Config
      clusters: [{name: it, cluster: {server: "%s", certificate-authority-data: %s}}]
      users: [{name: it, user: {token: %s}}]
      contexts: [{name: it, context: {cluster: it, user: it}}]
      current-context: it
      """
          .formatted(admin.getMasterUrl(), caData(), token);
    }

    private String caData() {
      String data = admin.getConfiguration().getCaCertData();
      if (data != null) {
        return data;
      }
      try {
        return base64(Files.readAllBytes(Path.of(admin.getConfiguration().getCaCertFile())));
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    private static String base64(byte[] bytes) {
      return Base64.getEncoder().encodeToString(bytes);
    }

    @Override
    public void close() {
      admin.resource(binding).delete();
    }
  }

  /**
   * Starts a replica and waits until it is ready.
   *
   * @param configuration more of the configuration file, YAML
   */
  public RunningController(Operator operator, String configuration) throws Exception {
    this.operator = operator;
    String text =
        """
        apiVersion: config.trainer.kubeflow.org/v1alpha1
        kind: Configuration
        webhook: {port: %d}
        certManagement: {enable: false}
        health: {healthProbeBindAddress: "127.0.0.1:%d"}
        metrics: {bindAddress: "127.0.0.1:%d"}
        """
            .formatted(freePort(), healthPort, metricsPort);
    String statusServer = "statusServer: {port: " + statusPort + "}\n";
    CommandLine commandLine =
        CommandLine.parse(
                "--kubeconfig=" + operator.folder.resolve("kubeconfig"),
                "--cert-dir=" + operator.folder,
                "--operator-namespace=" + operator.admin.getNamespace())
            .orElseThrow();
    http = HttpClient.newBuilder().sslContext(trusting(operator.certificate)).build();
    controller =
        new Controller(
            commandLine,
            ConfigurationReader.read("it.yaml", text + statusServer + configuration),
            fatal::add);
    controller.start();
    await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptions()
        .until(() -> probe("readyz").statusCode() == 200);
  }

  /** Asks a probe. */
  public HttpResponse<String> probe(String name) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + healthPort + "/" + name);
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  /** Reads the metrics. */
  public String metrics() throws IOException, InterruptedException {
    URI uri = URI.create("https://127.0.0.1:" + metricsPort + "/metrics");
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
  }

  /** Reports as a pod does. */
  public HttpResponse<String> post(TrainJobKey trainJob, String token, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("https://127.0.0.1:" + statusPort + trainJob.statusPath()))
            .header("Authorization", "Bearer " + token)
            .POST(BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  /** Why it gave up, if it did. */
  public Optional<String> fatal() {
    return fatal.stream().findFirst();
  }

  @Override
  public void close() {
    controller.close();
  }

  private static boolean isEstablished(CustomResourceDefinition type) {
    return type != null
        && type.getStatus() != null
        && type.getStatus().getConditions() != null
        && type.getStatus().getConditions().stream()
            .anyMatch(it -> it.getType().equals("Established") && it.getStatus().equals("True"));
  }

  private static SSLContext trusting(TestCertificate certificate)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry("test", certificate.certificate());
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  /** A port that was free a moment ago; the controller has no way to tell one that it chose. */
  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
