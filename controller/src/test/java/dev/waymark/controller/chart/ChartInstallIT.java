package dev.waymark.controller.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.controller.ControllerEndpoints;
import dev.waymark.testbed.Cluster;
import dev.waymark.testbed.NeedsTestbed;
import dev.waymark.testbed.Tool;
import dev.waymark.trainer.api.ClusterTrainingRuntime;
import dev.waymark.trainer.api.CustomResourceDefinitions;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.TrainJob;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The chart on a real API server. There are no nodes, so the controller runs in this JVM, started
 * as the release says.
 */
@NeedsTestbed
@Timeout(300)
class ChartInstallIT {

  private static final String MANAGER = "waymark-controller-manager";
  private static final String SECRET = "waymark-webhook-cert";
  private static final String JOB_SETS = "jobsets.jobset.x-k8s.io";

  /** Of kinds that only clusters with these operators know. */
  private static final Set<String> OPERATORS = Set.of("monitoring.coreos.com", "cert-manager.io");

  private static Cluster cluster;

  @TempDir Path folder;

  private final int webhookPort = ControllerEndpoints.freePort();
  private KubernetesClient client;
  private Helm helm;

  @BeforeAll
  static void start() {
    Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
    cluster = Cluster.start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
    Awaitility.reset();
  }

  @BeforeEach
  void openNamespace() {
    client = cluster.newClient("release-" + webhookPort);
    client
        .resource(
            new NamespaceBuilder()
                .withNewMetadata()
                .withName(client.getNamespace())
                .endMetadata()
                .build())
        .create();
    helm = new Helm(folder, cluster.kubeconfig());
  }

  @AfterEach
  void closeNamespace() {
    helm.succeed(
        List.of("uninstall", "waymark", "-n", client.getNamespace(), "--ignore-not-found"));
    client.namespaces().withName(client.getNamespace()).delete();
    client.close();
  }

  static Stream<Path> valuesFiles() {
    return Helm.valuesFiles();
  }

  /** Strictly: with no field that it doesn't know. */
  @ParameterizedTest
  @MethodSource("valuesFiles")
  void theApiServerTakesEveryObject(Path values) throws IOException {
    apply("--force-conflicts", "--filename=" + Helm.CHART.resolve("crds"));
    List<JsonNode> known =
        helm.template("--values", values.toString(), "--namespace", client.getNamespace())
            .objects().stream()
            .filter(object -> !OPERATORS.contains(group(object)))
            .toList();
    Path file =
        Files.writeString(
            folder.resolve("objects.yaml"),
            known.stream().map(JsonNode::toString).collect(Collectors.joining("\n---\n")));

    String taken = apply("--dry-run=server", "--validate=strict", "--filename=" + file);

    assertThat(taken.lines()).hasSameSizeAs(known);
  }

  private String apply(String... arguments) {
    List<String> command = new ArrayList<>(List.of("apply", "--server-side"));
    command.addAll(Arrays.asList(arguments));
    return helm.succeed(Tool.KUBECTL, command);
  }

  private static String group(JsonNode object) {
    return object.path("apiVersion").asText().replaceFirst("/.*", "");
  }

  @Test
  void aReleaseRunsTrainJobsAndLeavesThemBehind() throws Exception {
    removeTypes();
    install(
        "--values=" + Helm.CHART.resolve("ci/everything-values.yaml"),
        "--set=serviceMonitor.enabled=false,prometheusRule.enabled=false",
        "--set=manager.config.metrics.auth.enabled=false",
        "--set=manager.config.metrics.secureServing=false");
    List<String> runtimes = runtimes();
    assertThat(runtimes).hasSize(8);

    try (ReleasedController controller = controller()) {
      controller.startUp();
      reachWebhooks();
      await()
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> client.resource(trainJob("x", "none", "")).dryRun().create())
                      .isInstanceOf(KubernetesClientException.class)
                      .hasMessageContaining("denied the request")
                      .hasMessageContaining("spec.runtimeRef"));

      for (String runtime : runtimes) {
        client.resource(trainJob(runtime, runtime, "")).create();
        JsonNode pod = await().until(() -> pod(runtime), it -> !it.isMissingNode());
        assertThat(pod.path("initContainers").size())
            .as("agents in %s", runtime)
            .isEqualTo(runtime.endsWith("-distributed") ? 0 : 1);
        assertThat(pod.path("initContainers"))
            .allMatch(agent -> agent.at("/securityContext/runAsNonRoot").asBoolean());
      }
      client.resource(trainJob("late", "djl-cpu", "activeDeadlineSeconds: 1")).create();
      await().until(() -> controller.metrics().contains("reason=\"DeadlineExceeded\""));
      assertThat(controller.metrics().lines().map(line -> line.replaceFirst("[{ ].*", "")))
          .containsAll(metricsThatAreLookedAt());
    }
    helm.succeed(List.of("uninstall", "waymark", "-n", client.getNamespace()));

    assertThat(names(client.resources(TrainJob.class).list().getItems())).containsAll(runtimes);
    assertThat(pod("djl-cpu").isMissingNode()).isFalse();
    assertThat(runtimes()).isEmpty();
    assertThat(bundles()).isEmpty();
    assertThat(names(client.apps().deployments().list().getItems())).isEmpty();
    assertThat(names(client.apiextensions().v1().customResourceDefinitions().list().getItems()))
        .containsAll(CustomResourceDefinitions.names());
    // Nothing of the release keeps them from being deleted.
    client.resources(TrainJob.class).delete();
    await().until(() -> client.resources(JobSet.class).list().getItems().isEmpty());
  }

  @Test
  void aReleaseWaitsForJobSet() throws Exception {
    CustomResourceDefinition jobSets = type(JOB_SETS).get();
    type(JOB_SETS).delete();
    await().until(() -> type(JOB_SETS).get() == null);
    try {
      install();
      try (ReleasedController controller = controller()) {
        controller.start();
        await()
            .ignoreExceptions()
            .until(() -> controller.readiness().body().contains("helm install jobset"));
        assertThat(controller.readiness().statusCode()).isEqualTo(503);
        await().until(() -> events("TypesMissing").size() == 1);
        assertThat(events("TypesMissing").get(0).getMessage()).contains("helm install jobset");

        client.resource(asNew(jobSets)).create();
        controller.awaitReady();
      }
    } finally {
      client.resource(asNew(jobSets)).serverSideApply();
    }
  }

  /** Helm takes definitions that are there as they are. */
  @Test
  void aReleaseBringsTheTypesUpToDate() throws Exception {
    apply("--force-conflicts", "--filename=" + Helm.CHART.resolve("crds"));
    String trainJobs = "trainjobs.trainer.kubeflow.org";
    String runtimes = "trainingruntimes.trainer.kubeflow.org";
    type(trainJobs)
        .edit(
            old -> {
              old.getSpec().getVersions().get(0).setAdditionalPrinterColumns(List.of());
              return old;
            });
    install();
    assertThat(columns(trainJobs)).isEmpty();
    try (ReleasedController controller = controller()) {
      controller.startUp();
    }

    assertThat(columns(trainJobs)).contains("State", "Progress", "ETA");
    String once = type(runtimes).get().getMetadata().getResourceVersion();
    try (ReleasedController controller = controller()) {
      controller.startUp();
    }
    assertThat(type(runtimes).get().getMetadata().getResourceVersion()).isEqualTo(once);
  }

  private List<String> columns(String type) {
    return type(type).get().getSpec().getVersions().get(0).getAdditionalPrinterColumns().stream()
        .map(column -> column.getName())
        .toList();
  }

  private Resource<CustomResourceDefinition> type(String name) {
    return client.apiextensions().v1().customResourceDefinitions().withName(name);
  }

  private static CustomResourceDefinition asNew(CustomResourceDefinition type) {
    return new CustomResourceDefinitionBuilder(type)
        .withStatus(null)
        .withNewMetadata()
        .withName(type.getMetadata().getName())
        .withAnnotations(type.getMetadata().getAnnotations())
        .endMetadata()
        .build();
  }

  private List<Event> events(String reason) {
    return client.v1().events().list().getItems().stream()
        .filter(event -> event.getReason().equals(reason))
        .toList();
  }

  @Test
  void aReleaseKeepsItsCertificateThroughUpgradeAndRollback() throws Exception {
    install();
    try (ReleasedController controller = controller()) {
      controller.startUp();
    }
    Map<String, String> certificate = secret().getData();
    assertThat(certificate).containsKeys("tls.crt", "tls.key", "ca.crt");
    assertThat(bundles()).hasSize(4).containsOnly(certificate.get("ca.crt"));
    String before = checksum();

    helm.upgrade(
        client.getNamespace(),
        "--reuse-values",
        "--set=manager.config.statusServer.qps=7,runtimes.djlCpu.enabled=false");
    assertThat(checksum()).isNotEqualTo(before);
    assertThat(runtimes()).containsExactly("dl4j-cpu");
    helm.succeed(List.of("rollback", "waymark", "1", "-n", client.getNamespace()));
    assertThat(checksum()).isEqualTo(before);
    assertThat(runtimes()).containsExactlyInAnyOrder("djl-cpu", "dl4j-cpu");

    assertThat(bundles()).hasSize(4).containsOnly(certificate.get("ca.crt"));
    helm.succeed(List.of("uninstall", "waymark", "-n", client.getNamespace()));
    assertThat(secret().getData()).isEqualTo(certificate);
  }

  /** As in a cluster that never had them. */
  private void removeTypes() {
    CustomResourceDefinitions.names().forEach(name -> type(name).delete());
    await()
        .until(
            () ->
                CustomResourceDefinitions.names().stream()
                    .allMatch(name -> type(name).get() == null));
  }

  /** With ports that are free on this machine. */
  private void install(String... more) {
    List<String> arguments = new ArrayList<>(Arrays.asList(more));
    arguments.add("--set=manager.config.webhook.port=" + webhookPort);
    arguments.add("--set=manager.config.statusServer.port=" + ControllerEndpoints.freePort());
    arguments.add("--set=manager.config.health.healthProbeBindAddress=" + freeAddress());
    arguments.add("--set=manager.config.metrics.bindAddress=" + freeAddress());
    helm.install(client.getNamespace(), arguments.toArray(String[]::new));
  }

  private static String freeAddress() {
    return "127.0.0.1:" + ControllerEndpoints.freePort();
  }

  private ReleasedController controller() throws Exception {
    return new ReleasedController(client, MANAGER, Files.createTempDirectory(folder, "pod"));
  }

  /** Services lead nowhere without nodes: the API server is to find this one on this machine. */
  private void reachWebhooks() {
    client
        .services()
        .withName(MANAGER)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\": {\"type\": \"ExternalName\", \"externalName\": \"localhost\"}}");
    for (HasMetadata configuration : webhookConfigurations()) {
      webhooks(configuration).forEach(webhook -> webhook.getService().setPort(webhookPort));
      client.resource(configuration).update();
    }
  }

  private List<HasMetadata> webhookConfigurations() {
    var all = client.admissionRegistration().v1();
    return Stream.<HasMetadata>of(
            all.mutatingWebhookConfigurations().withName("defaulter.trainer.kubeflow.org").get(),
            all.validatingWebhookConfigurations().withName("validator.trainer.kubeflow.org").get())
        .filter(found -> found != null)
        .toList();
  }

  private static Stream<WebhookClientConfig> webhooks(HasMetadata configuration) {
    return configuration instanceof MutatingWebhookConfiguration mutating
        ? mutating.getWebhooks().stream().map(webhook -> webhook.getClientConfig())
        : ((ValidatingWebhookConfiguration) configuration)
            .getWebhooks().stream().map(webhook -> webhook.getClientConfig());
  }

  /** Whom the API server trusts, for each webhook; base64. */
  private List<String> bundles() {
    return webhookConfigurations().stream()
        .flatMap(ChartInstallIT::webhooks)
        .map(WebhookClientConfig::getCaBundle)
        .toList();
  }

  private Secret secret() {
    return client.secrets().withName(SECRET).get();
  }

  private String checksum() {
    return client
        .apps()
        .deployments()
        .withName(MANAGER)
        .get()
        .getSpec()
        .getTemplate()
        .getMetadata()
        .getAnnotations()
        .get("checksum/config");
  }

  private List<String> runtimes() {
    return names(client.resources(ClusterTrainingRuntime.class).list().getItems());
  }

  private static List<String> names(List<? extends HasMetadata> objects) {
    return objects.stream().map(object -> object.getMetadata().getName()).toList();
  }

  private TrainJob trainJob(String name, String runtime, String more) {
    return client
        .getKubernetesSerialization()
        .unmarshal(
            """
            apiVersion: trainer.kubeflow.org/v1alpha1
            kind: TrainJob
            metadata: {name: %s}
            spec:
              runtimeRef: {name: %s}
              %s
            """
                .formatted(name, runtime, more),
            TrainJob.class);
  }

  /** Spec of the pods that a TrainJob became; nothing while there is no JobSet. */
  private JsonNode pod(String trainJob) {
    JobSet jobSet = client.resources(JobSet.class).withName(trainJob).get();
    return Manifest.yaml(client.getKubernetesSerialization().asJson(jobSet))
        .at("/spec/replicatedJobs/0/template/spec/template/spec");
  }

  /** The controller's own ones that alerts and dashboard name. */
  private Set<String> metricsThatAreLookedAt() throws IOException {
    Manifest manifest = helm.template("--set=prometheusRule.enabled=true");
    List<String> expressions = new ArrayList<>();
    manifest.ofKind("PrometheusRule").forEach(it -> expressions.addAll(it.findValuesAsText("expr")));
    expressions.addAll(file("dashboard.json").findValuesAsText("expr"));
    Set<String> names = new TreeSet<>();
    Pattern name =
        Pattern.compile(
            "\\b(kubeflow_trainer|controller_runtime|waymark|rest_client|workqueue|jvm|process|leader_election)_[a-z_]+");
    expressions.forEach(
        expression -> name.matcher(expression).results().map(MatchResult::group).forEach(names::add));
    JsonNode others = file("kube-state-metrics.yaml").at("/spec/resources/0");
    String prefix = others.path("metricNamePrefix").asText();
    others.path("metrics").forEach(it -> names.remove(prefix + "_" + it.path("name").asText()));
    // There from the first failure on.
    names.remove("controller_runtime_reconcile_errors_total");
    assertThat(names).hasSizeGreaterThan(10);
    return names;
  }

  private static JsonNode file(String name) throws IOException {
    return Manifest.yaml(Files.readString(Helm.CHART.resolve("files/" + name)));
  }
}
