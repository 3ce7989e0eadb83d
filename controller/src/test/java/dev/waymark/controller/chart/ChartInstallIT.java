package dev.waymark.controller.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.testbed.Cluster;
import dev.waymark.testbed.NeedsTestbed;
import dev.waymark.trainer.api.ClusterTrainingRuntime;
import dev.waymark.trainer.api.CustomResourceDefinitions;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.TrainJob;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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

  private static final String JOB_SETS = "jobsets.jobset.x-k8s.io";
  private static final String TRAIN_JOBS = "trainjobs.trainer.kubeflow.org";

  /** Of kinds that only clusters with these operators know. */
  private static final Set<String> OPERATORS = Set.of("monitoring.coreos.com", "cert-manager.io");

  private static final Pattern OWN_METRIC =
      Pattern.compile(
          "\\b(kubeflow_trainer|controller_runtime|leader_election|waymark|rest_client|workqueue"
              + "|jvm|process)_[a-z_]+");

  private static Cluster cluster;

  @TempDir Path folder;

  private Release release;
  private KubernetesClient client;

  @BeforeAll
  static void start() {
    Awaitility.setDefaultTimeout(Duration.ofMinutes(2));
    cluster = Cluster.start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
    Awaitility.reset();
  }

  @BeforeEach
  void openNamespace() {
    release = new Release(cluster, folder);
    client = release.client();
  }

  @AfterEach
  void closeNamespace() {
    release.close();
  }

  static Stream<Path> valuesFiles() {
    return Helm.valuesFiles();
  }

  /** Strictly: with no field that it doesn't know. */
  @ParameterizedTest
  @MethodSource("valuesFiles")
  void theApiServerTakesEveryObject(Path values) throws IOException {
    release.bringTypes();
    List<JsonNode> known =
        release
            .helm()
            .template("--values", values.toString(), "--namespace", release.namespace())
            .objects()
            .stream()
            .filter(object -> !OPERATORS.contains(group(object)))
            .toList();
    Path file =
        Files.writeString(
            folder.resolve("objects.yaml"),
            known.stream().map(JsonNode::toString).collect(Collectors.joining("\n---\n")));

    String taken =
        release.kubectl(
            "apply",
            "--server-side",
            "--dry-run=server",
            "--validate=strict",
            "--filename=" + file);

    assertThat(taken.lines()).hasSameSizeAs(known);
  }

  private static String group(JsonNode object) {
    return object.path("apiVersion").asText().replaceFirst("/.*", "");
  }

  @Test
  void aReleaseRunsTrainJobsAndLeavesThemBehind() throws Exception {
    removeTypes();
    release.install(
        "--values=" + Helm.CHART.resolve("ci/everything-values.yaml"),
        "--set=serviceMonitor.enabled=false,prometheusRule.enabled=false",
        "--set=manager.config.metrics.auth.enabled=false",
        "--set=manager.config.metrics.secureServing=false",
        "--set=agent.imageVolume=false");
    List<String> runtimes = runtimes();
    assertThat(runtimes).hasSize(8);

    try (ReleasedController controller = release.controller()) {
      controller.startUp();
      release.reachWebhooks();
      await().untilAsserted(this::unknownRuntimesAreRefused);
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
      assertThat(controller.metrics())
          .contains("leader_election_master_status{name=\"trainer.kubeflow.org\"} 1.0\n");
      assertThat(controller.metrics().lines().map(line -> line.replaceFirst("[{ ].*", "")))
          .containsAll(metricsThatAreLookedAt());
    }
    release.uninstall();

    assertThat(names(client.resources(TrainJob.class).list().getItems())).containsAll(runtimes);
    assertThat(pod("djl-cpu").isMissingNode()).isFalse();
    assertThat(runtimes()).isEmpty();
    assertThat(release.authorities()).isEmpty();
    assertThat(client.apps().deployments().list().getItems()).isEmpty();
    assertThat(CustomResourceDefinitions.names())
        .allSatisfy(name -> assertThat(type(name).get()).isNotNull());
    // Nothing of the release keeps them from being deleted.
    client.resources(TrainJob.class).delete();
    await().until(() -> client.resources(JobSet.class).list().getItems().isEmpty());
  }

  private void unknownRuntimesAreRefused() {
    assertThatThrownBy(() -> client.resource(trainJob("x", "none", "")).dryRun().create())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("denied the request")
        .hasMessageContaining("spec.runtimeRef");
  }

  /** The controller's own ones that alerts and dashboard name. */
  private Set<String> metricsThatAreLookedAt() throws IOException {
    List<String> expressions = new ArrayList<>();
    release
        .helm()
        .template("--set=prometheusRule.enabled=true")
        .ofKind("PrometheusRule")
        .forEach(rule -> expressions.addAll(rule.findValuesAsText("expr")));
    JsonNode dashboard = file("dashboard.json");
    expressions.addAll(dashboard.findValuesAsText("expr"));
    // By which it finds the controller among others that have metrics of the same names.
    expressions.add(dashboard.at("/templating/list/1/query/query").asText());
    Set<String> names = new TreeSet<>();
    for (String expression : expressions) {
      OWN_METRIC.matcher(expression).results().map(MatchResult::group).forEach(names::add);
    }
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

  @Test
  void aReleaseKeepsItsCertificateThroughUpgradeAndRollback() throws Exception {
    assertThat(release.install("--set=image.registry=own.example.com"))
        .doesNotContain("image.registry is", "JobSet is not in this cluster");
    try (ReleasedController controller = release.controller()) {
      controller.startUp();
    }
    Map<String, String> certificate = secret().getData();
    assertThat(certificate).containsKeys("tls.crt", "tls.key", "ca.crt");
    assertThat(release.authorities()).hasSize(4).containsOnly(certificate.get("ca.crt"));
    String before = release.checksumOfConfiguration();

    release.upgrade(
        "--reset-then-reuse-values",
        "--set=manager.config.statusServer.qps=7,runtimes.djlCpu.enabled=false");
    assertThat(release.checksumOfConfiguration()).isNotEqualTo(before);
    assertThat(runtimes()).containsExactly("dl4j-cpu");
    release.rollBackTo(1);
    assertThat(release.checksumOfConfiguration()).isEqualTo(before);
    assertThat(runtimes()).containsExactlyInAnyOrder("djl-cpu", "dl4j-cpu");

    assertThat(release.authorities()).hasSize(4).containsOnly(certificate.get("ca.crt"));
    release.uninstall();
    assertThat(secret().getData()).isEqualTo(certificate);
  }

  private Secret secret() {
    return client.secrets().withName("waymark-webhook-cert").get();
  }

  @Test
  void aReleaseWaitsForJobSet() throws Exception {
    CustomResourceDefinition jobSets = type(JOB_SETS).get();
    remove(JOB_SETS);
    // What the server says of its types follows a moment later.
    await().until(() -> !release.kubectl("api-versions").contains("jobset.x-k8s.io"));
    try {
      assertThat(release.install())
          .contains("JobSet is not in this cluster", "helm install jobset")
          .contains("image.registry is registry.example.com, where no images are");
      try (ReleasedController controller = release.controller()) {
        controller.start();
        await()
            .ignoreExceptions()
            .until(() -> controller.readiness().body().contains("helm install jobset"));
        assertThat(controller.readiness().statusCode()).isEqualTo(503);
        await().until(() -> warnings().size() == 1);
        assertThat(warnings()).singleElement().asString().contains("helm install jobset");

        create(jobSets);
        controller.awaitReady();
      }
    } finally {
      create(jobSets);
    }
  }

  /** What operators are told of a pod that waits. */
  private List<String> warnings() {
    return client.v1().events().list().getItems().stream()
        .filter(event -> event.getReason().equals("TypesMissing"))
        .map(Event::getMessage)
        .toList();
  }

  /** With definitions that belong to somebody else, as after a take-over. */
  @Test
  void aReleaseBringsTheTypesUpToDate() throws Exception {
    release.bringTypes();
    type(TRAIN_JOBS).edit(ChartInstallIT::withoutColumns);
    release.install("--skip-crds");
    assertThat(columnsOfTrainJobs()).isEmpty();

    try (ReleasedController controller = release.controller()) {
      controller.startUp();
    }

    assertThat(columnsOfTrainJobs()).contains("State", "Progress", "ETA");
    List<String> once = versionsOfTypes();
    try (ReleasedController controller = release.controller()) {
      controller.startUp();
    }
    assertThat(versionsOfTypes()).isEqualTo(once);
    // Helm 4 refuses to install where another than helm holds something else.
    client
        .resource(withoutColumns(asNew(type(TRAIN_JOBS).get())))
        .fieldManager("helm")
        .serverSideApply();
  }

  private static CustomResourceDefinition withoutColumns(CustomResourceDefinition type) {
    type.getSpec().getVersions().get(0).setAdditionalPrinterColumns(List.of());
    return type;
  }

  private List<String> columnsOfTrainJobs() {
    return type(TRAIN_JOBS)
        .get()
        .getSpec()
        .getVersions()
        .get(0)
        .getAdditionalPrinterColumns()
        .stream()
        .map(column -> column.getName())
        .toList();
  }

  private List<String> versionsOfTypes() {
    return CustomResourceDefinitions.names().stream()
        .map(name -> type(name).get().getMetadata().getResourceVersion())
        .toList();
  }

  /** As in a cluster that never had them. */
  private void removeTypes() {
    CustomResourceDefinitions.names().forEach(this::remove);
  }

  private void remove(String type) {
    type(type).delete();
    await().until(() -> type(type).get() == null);
  }

  private Resource<CustomResourceDefinition> type(String name) {
    return client.apiextensions().v1().customResourceDefinitions().withName(name);
  }

  /** Makes one that was there before, if it isn't there. */
  private void create(CustomResourceDefinition type) {
    if (type(type.getMetadata().getName()).get() == null) {
      client.resource(asNew(type)).create();
    }
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
}
