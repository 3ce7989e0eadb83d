package dev.waymark.controller;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waymark.conformance.ConformanceFolder;
import dev.waymark.status.TrainJobKey;
import dev.waymark.status.tls.Pem;
import dev.waymark.trainer.api.CustomResourceDefinitions;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * A controller in this JVM on a real cluster, as an operator runs it: with the rights of the
 * chart's ClusterRole and no others, a certificate that somebody else keeps, on free ports.
 */
public final class RunningController implements AutoCloseable {

  private static final Path ROLE =
      ConformanceFolder.PATH.resolveSibling("charts/waymark/files/cluster-role.yaml");
  private static final String SERVICE = "kubeflow-trainer-controller-manager";
  private static final String ACCOUNT = "waymark-controller";

  private final List<String> fatal = new CopyOnWriteArrayList<>();
  private final Operator operator;
  private final ControllerEndpoints endpoints;
  private final Controller controller;

  /** Null while the API server asks nobody. */
  private InstalledWebhooks webhooks;

  /** What replicas share: the namespace, the account, the certificate. */
  public static final class Operator implements AutoCloseable {
    private final KubernetesClient admin;
    private final Path folder;
    private final TestCertificate certificate;
    private final ClusterRoleBinding binding;

    /** The files of the operator's controllers. */
    Path folder() {
      return folder;
    }

    /** The flags that all replicas share. */
    List<String> arguments() {
      return List.of(
          "--kubeconfig=" + folder.resolve("kubeconfig"),
          "--cert-dir=" + folder,
          "--operator-namespace=" + admin.getNamespace());
    }

    ControllerEndpoints newEndpoints() throws GeneralSecurityException, IOException {
      return new ControllerEndpoints(certificate.certificate());
    }

    /** Who vouches for the controllers' certificate, PEM in Base64. */
    public String authority() {
      return Base64.getEncoder()
          .encodeToString(Pem.of(List.of(certificate.certificate())).getBytes(UTF_8));
    }

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
      connectDirectly();
    }

    /** Has the controllers that start from now on reach the API server as everybody does. */
    void connectDirectly() throws IOException {
      Files.writeString(folder.resolve("kubeconfig"), AccountKubeconfig.of(admin, ACCOUNT));
    }

    /**
     * Has the controllers that start from now on reach the API server by another way.
     *
     * @param authority who vouches for it, PEM in Base64
     */
    void connectTo(String server, String authority) throws IOException {
      Files.writeString(
          folder.resolve("kubeconfig"), AccountKubeconfig.of(admin, ACCOUNT, server, authority));
    }

    InstalledWebhooks installWebhooks(ControllerEndpoints controller) {
      return new InstalledWebhooks(admin, authority(), controller.webhookPort());
    }

    /** Creates the CRDs where they are not, and waits until they serve. */
    void installTypes() {
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

    @Override
    public void close() {
      admin.resource(binding).delete();
    }
  }

  /**
   * Starts a replica and waits until it is ready.
   *
   * @param configuration more of the configuration file, YAML; what is indented at its beginning
   *     belongs to statusServer
   */
  public RunningController(Operator operator, String configuration) throws Exception {
    this.operator = operator;
    endpoints = operator.newEndpoints();
    controller =
        new Controller(
            CommandLine.parse(operator.arguments().toArray(new String[0])).orElseThrow(),
            ConfigurationReader.read("it.yaml", endpoints.configuration(configuration)),
            fatal::add);
    controller.start();
    endpoints.awaitReady();
  }

  /** Has the API server ask it about TrainJobs and runtimes of the operator's namespace. */
  public void installWebhooks() {
    webhooks = operator.installWebhooks(endpoints);
  }

  /** Where it listens. */
  public ControllerEndpoints endpoints() {
    return endpoints;
  }

  /** Asks a probe. */
  public HttpResponse<String> probe(String name) throws IOException, InterruptedException {
    return endpoints.probe(name);
  }

  /** Reads the metrics. */
  public String metrics() throws IOException, InterruptedException {
    return endpoints.metrics();
  }

  /** Reports as a pod does. */
  public HttpResponse<String> post(TrainJobKey trainJob, String token, String body)
      throws IOException, InterruptedException {
    return endpoints.post(trainJob, token, body);
  }

  /** Why it gave up, if it did. */
  public Optional<String> fatal() {
    return fatal.stream().findFirst();
  }

  @Override
  public void close() {
    if (webhooks != null) {
      webhooks.close();
      webhooks = null;
    }
    controller.close();
  }

  private static boolean isEstablished(CustomResourceDefinition type) {
    return type != null
        && type.getStatus() != null
        && type.getStatus().getConditions() != null
        && type.getStatus().getConditions().stream()
            .anyMatch(it -> it.getType().equals("Established") && it.getStatus().equals("True"));
  }
}
