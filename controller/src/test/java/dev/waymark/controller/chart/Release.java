package dev.waymark.controller.chart;

import dev.waymark.controller.ControllerEndpoints;
import dev.waymark.testbed.Cluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

/** The release {@code waymark} in a namespace of its own, with ports that are free here. */
final class Release implements AutoCloseable {

  private final Path folder;
  private final int webhookPort = ControllerEndpoints.freePort();
  private final KubernetesClient client;
  private final Helm helm;
  private String manager = "waymark-controller-manager";

  /**
   * Makes the namespace; nothing is installed yet.
   *
   * @param folder for files in passing, empty
   */
  Release(Cluster cluster, Path folder) {
    this(cluster, folder, new Helm(folder, cluster.kubeconfig()));
  }

  /** The same, with a helm that the cluster knows. */
  Release(Cluster cluster, Path folder, Helm helm) {
    this.folder = folder;
    this.helm = helm;
    String namespace = "release-" + UUID.randomUUID().toString().substring(0, 8);
    client = cluster.newClient(namespace);
    client
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
        .create();
  }

  /** With every right, in the release's namespace. */
  KubernetesClient client() {
    return client;
  }

  String namespace() {
    return client.getNamespace();
  }

  Helm helm() {
    return helm;
  }

  /** The name of Deployment and Service. */
  void isNamed(String fullname) {
    manager = fullname + "-controller-manager";
  }

  /** Installs it, and returns what helm says afterwards. */
  String install(String... more) {
    List<String> arguments = new ArrayList<>(Arrays.asList(more));
    arguments.add("--set=manager.config.webhook.port=" + webhookPort);
    arguments.add("--set=manager.config.statusServer.port=" + ControllerEndpoints.freePort());
    arguments.add("--set=manager.config.health.healthProbeBindAddress=" + freeAddress());
    arguments.add("--set=manager.config.metrics.bindAddress=" + freeAddress());
    return helm.install(namespace(), arguments.toArray(String[]::new));
  }

  private static String freeAddress() {
    return "127.0.0.1:" + ControllerEndpoints.freePort();
  }

  void upgrade(String... more) {
    helm.upgrade(namespace(), more);
  }

  void rollBackTo(int revision) {
    helm.succeed(
        List.of("rollback", "waymark", Integer.toString(revision), "--namespace", namespace()));
  }

  void uninstall() {
    helm.succeed(List.of("uninstall", "waymark", "--namespace", namespace(), "--ignore-not-found"));
  }

  /** Runs kubectl, and returns what it printed. */
  String kubectl(String... arguments) {
    return helm.kubectl(List.of(arguments));
  }

  /** Sees to it that the cluster has the chart's definitions, as they are there. */
  void bringTypes() {
    String types = "--filename=" + Helm.CHART.resolve("crds");
    kubectl("apply", "--server-side", "--force-conflicts", types);
    kubectl("wait", "--for=condition=Established", "--timeout=60s", types);
  }

  /** A controller as it is installed now; does nothing yet. */
  ReleasedController controller() throws Exception {
    return new ReleasedController(client, manager, Files.createTempDirectory(folder, "pod"));
  }

  /** Services lead nowhere without nodes: the API server is to find this one on this machine. */
  void reachWebhooks() {
    client
        .services()
        .withName(manager)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\": {\"type\": \"ExternalName\", \"externalName\": \"localhost\"}}");
    for (HasMetadata configuration : webhookConfigurations()) {
      webhooks(configuration).forEach(webhook -> webhook.getService().setPort(webhookPort));
      client.resource(configuration).update();
    }
  }

  /** Whom the API server trusts, for each webhook; base64. */
  List<String> authorities() {
    return webhookConfigurations().stream()
        .flatMap(Release::webhooks)
        .map(WebhookClientConfig::getCaBundle)
        .toList();
  }

  private List<HasMetadata> webhookConfigurations() {
    var all = client.admissionRegistration().v1();
    return Stream.<HasMetadata>of(
            all.mutatingWebhookConfigurations().withName("defaulter.trainer.kubeflow.org").get(),
            all.validatingWebhookConfigurations().withName("validator.trainer.kubeflow.org").get())
        .filter(Objects::nonNull)
        .toList();
  }

  private static Stream<WebhookClientConfig> webhooks(HasMetadata configuration) {
    return configuration instanceof MutatingWebhookConfiguration mutating
        ? mutating.getWebhooks().stream().map(webhook -> webhook.getClientConfig())
        : ((ValidatingWebhookConfiguration) configuration)
            .getWebhooks().stream().map(webhook -> webhook.getClientConfig());
  }

  /** By which a Deployment's pods are rolled. */
  String checksumOfConfiguration() {
    return client
        .apps()
        .deployments()
        .withName(manager)
        .get()
        .getSpec()
        .getTemplate()
        .getMetadata()
        .getAnnotations()
        .get("checksum/config");
  }

  @Override
  public void close() {
    uninstall();
    client.namespaces().withName(namespace()).delete();
    client.close();
  }
}
