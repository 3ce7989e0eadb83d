package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.controller.RunningController.Operator;
import dev.waymark.status.TrainJobKey;
import dev.waymark.testbed.OnCluster;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobStatus;
import dev.waymark.trainer.api.TrainerStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The controller on a real API server, with the real JobSet controller. */
@OnCluster
class ControllerIT {

  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  @TempDir static Path folder;

  private static Operator operator;
  private static RunningController controller;

  private KubernetesClient client;

  @BeforeAll
  static void start(KubernetesClient admin) throws Exception {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    operator = new Operator(admin, folder);
    controller = new RunningController(operator, "");
  }

  @AfterAll
  static void stop() {
    assertThat(controller.fatal()).isEmpty();
    controller.close();
    operator.close();
    Awaitility.reset();
  }

  @BeforeEach
  void createRuntime(KubernetesClient own) {
    client = own;
    ClusterObjects.createRuntime(client, "torch", "{numNodes: 1, torch: {}}");
  }

  @Test
  void aTrainJobLivesFromItsJobSetOverItsProgressToItsEnd() throws Exception {
    createTrainJob("trainer: {numNodes: 2}");

    List<Pod> pods = await().until(() -> client.pods().list().getItems(), it -> it.size() == 2);
    assertThat(pods)
        .allSatisfy(
            pod ->
                assertThat(pod.getSpec().getContainers().get(0).getEnv())
                    .extracting("name")
                    .contains("PET_NNODES", "KUBEFLOW_TRAINER_SERVER_URL"));
    assertThat(client.configMaps().withName("demo-tls-config").get().getData())
        .containsKey("ca.crt");
    assertThat(client.configMaps().withName("demo-runtime-snapshot").get().getData())
        .hasEntrySatisfying(
            "runtime", runtime -> assertThat(runtime).contains("registry.example/app:1"));

    assertThat(report(podToken(demo().audience(), pods.get(0)), 40, "running")).isEqualTo(200);
    assertThat(trainerStatus().progressPercentage()).isEqualTo(40);
    assertThat(report(podToken(demo().audience(), pods.get(0)), 100, "completed")).isEqualTo(200);
    assertThat(trainerStatus().progressPercentage()).isEqualTo(100);

    pods.forEach(this::succeed);
    await().until(() -> condition("Complete").isPresent());
    whoWroteWhatIsAsWithUpstream();
    assertThat(condition("Complete").orElseThrow().getReason()).isEqualTo("AllJobsCompleted");
    assertThat(status().trainerStatus().progressPercentage()).isEqualTo(100);
    assertThat(controller.metrics())
        .contains("kubeflow_trainer_trainjob_finished_total{namespace=\"" + namespace());
  }

  /** Upstream's reconciler, too, updates the status under the name of its binary. */
  private void whoWroteWhatIsAsWithUpstream() {
    for (String name : List.of("demo-tls-config", "demo-runtime-snapshot")) {
      assertThat(managers(client.configMaps().withName(name).get()))
          .containsExactly("trainer Apply");
    }
    assertThat(managers(jobSet())).contains("trainer Apply");
    assertThat(managers(client.resources(TrainJob.class).withName("demo").get()))
        .contains("trainer-status Apply status", "waymark-controller Update status")
        .doesNotContain("trainer Apply", "trainer Apply status", "waymark-controller Update");
  }

  private static List<String> managers(HasMetadata object) {
    return object.getMetadata().getManagedFields().stream()
        .map(
            it ->
                Stream.of(it.getManager(), it.getOperation(), it.getSubresource())
                    .filter(Objects::nonNull)
                    .collect(Collectors.joining(" ")))
        .toList();
  }

  @Test
  void suspendsAndResumes() {
    createTrainJob("suspend: true");
    await().until(() -> condition("Suspended").isPresent());
    assertThat(jobSet().getSpec().suspend()).isTrue();
    assertThat(client.pods().list().getItems()).isEmpty();

    suspend(false);
    await().until(() -> client.pods().list().getItems().size() == 1);
    await().until(() -> condition("Suspended").orElseThrow().getStatus().equals("False"));

    suspend(true);
    await().until(() -> client.pods().list().getItems().isEmpty());
    await().until(() -> condition("Suspended").orElseThrow().getStatus().equals("True"));
    suspend(false);
    await().until(() -> client.pods().list().getItems().size() == 1);
  }

  /** And those of others stay. */
  @Test
  void aLabelThatNoPatchNamesAnyMoreLeavesTheSuspendedJobSet() {
    createTrainJob(
        "suspend: true\n  runtimePatches: [{manager: example.com/queue, trainingRuntimeSpec:"
            + " {template: {metadata: {labels: {queue: a}}}}}]");
    await().until(() -> condition("Suspended").isPresent());
    assertThat(jobSet().getMetadata().getLabels()).containsEntry("queue", "a");
    client
        .resources(JobSet.class)
        .withName("demo")
        .patch(MERGE, "{\"metadata\": {\"labels\": {\"of-others\": \"b\"}}}");

    client
        .resources(TrainJob.class)
        .withName("demo")
        .patch(MERGE, "{\"spec\": {\"runtimePatches\": null}}");

    await().until(() -> !jobSet().getMetadata().getLabels().containsKey("queue"));
    assertThat(jobSet().getMetadata().getLabels()).containsEntry("of-others", "b");
    assertThat(jobSet().isSuspended()).isTrue();
  }

  /** As when a controller that runs more policies made its JobSet. */
  @Test
  void suspendsAndResumesWhatItCouldNotPlanToday() {
    createTrainJob("");
    await().until(() -> pod("demo") != null);
    JobSet before = jobSet();
    client
        .configMaps()
        .withName("demo-runtime-snapshot")
        .edit(
            snapshot ->
                new ConfigMapBuilder(snapshot)
                    .addToData(
                        "runtime",
                        snapshot
                            .getData()
                            .get("runtime")
                            .replaceFirst("\"torch\"\\s*:", "\"flux\" :"))
                    .build());

    suspend(true);
    await().until(() -> client.pods().list().getItems().isEmpty());
    await().until(() -> isSuspended("True"));
    suspend(false);
    await().until(() -> client.pods().list().getItems().size() == 1);
    await().until(() -> isSuspended("False"));

    assertThat(jobSet().getSpec()).isEqualTo(before.getSpec());
    assertThat(condition("Failed")).isEmpty();
    await()
        .untilAsserted(
            () ->
                assertThat(client.v1().events().list().getItems())
                    .filteredOn(event -> event.getInvolvedObject().getKind().equals("TrainJob"))
                    .extracting(Event::getMessage)
                    .singleElement()
                    .asString()
                    .contains("spec.mlPolicy.flux")
                    .contains("JobSet demo stays as it is"));
  }

  @Test
  void changesNothingWhenItStartsAgain() throws Exception {
    createTrainJob("");
    // The other controllers have done all that they do, when what they say has come this far.
    await().until(() -> activeJobs() == 1);
    AtomicReference<List<String>> seen = new AtomicReference<>();
    await()
        .during(Duration.ofSeconds(2))
        .until(
            () -> {
              List<String> now = versions();
              return now.equals(seen.getAndSet(now));
            });
    List<String> before = versions();

    controller.close();
    controller = new RunningController(operator, "");
    createTrainJob("fence", "suspend: true");
    await().until(() -> client.resources(JobSet.class).withName("fence").get() != null);

    assertThat(versions()).isEqualTo(before);
  }

  @Test
  void refusesTokensThatAreNotForThisTrainJob() throws Exception {
    createTrainJob("");
    createTrainJob("other", "");
    Pod pod = await().until(() -> pod("demo"), it -> it != null);
    Pod others = await().until(() -> pod("other"), it -> it != null);
    String good = podToken(demo().audience(), pod);
    TrainJobKey other = new TrainJobKey(namespace(), "other");

    assertThat(report(good, 1, "running")).isEqualTo(200);
    assertThat(report(accountToken(demo().audience()), 2, "running")).isEqualTo(200);
    assertThat(report(podToken(other.audience(), pod), 3, "running")).isEqualTo(403);
    assertThat(report(accountToken("https://kubernetes.default.svc"), 4, "running")).isEqualTo(403);
    assertThat(report(podToken(demo().audience(), others), 5, "running")).isEqualTo(403);
    assertThat(report(good.substring(0, good.length() - 8) + "AAAAAAAA", 6, "running"))
        .isEqualTo(403);
    assertThat(report(unsigned(good), 7, "running")).isEqualTo(403);
    assertThat(report("no token", 8, "running")).isEqualTo(403);

    client.pods().withName(pod.getMetadata().getName()).withGracePeriod(0).delete();
    await().until(() -> report(good, 9, "running") == 403);
  }

  @Test
  void tellsTheReporterWhatIsWrongWithAReport() throws Exception {
    createTrainJob("");
    await().until(() -> pod("demo") != null);
    String token = accountToken(demo().audience());
    TrainJobKey absent = new TrainJobKey(namespace(), "absent");

    assertThat(report(token, 101, "running")).isEqualTo(422);
    assertThat(
            controller
                .post(absent, accountToken(absent.audience()), body(1, "running"))
                .statusCode())
        .isEqualTo(404);
  }

  /** Two replicas, each with its own caches: the last word stays, whoever gets it. */
  @Test
  void reportsToTwoReplicasInTurnEndWithTheLastWord() throws Exception {
    createTrainJob("");
    await().until(() -> pod("demo") != null);
    String token = accountToken(demo().audience());

    try (RunningController second =
        new RunningController(operator, "leaderElection: {leaderElect: true, resourceName: it}")) {
      for (int progress = 1; progress <= 40; progress++) {
        RunningController next = progress % 2 == 0 ? controller : second;
        assertThat(next.post(demo(), token, body(progress, "running")).statusCode()).isEqualTo(200);
      }
      assertThat(second.post(demo(), token, body(100, "completed")).statusCode()).isEqualTo(200);
      assertThat(trainerStatus().progressPercentage()).isEqualTo(100);
    }
    // What the other replica still had has given way by now, or never will.
    await().during(Duration.ofSeconds(2)).until(() -> trainerStatus().progressPercentage() == 100);
  }

  private void createTrainJob(String more) {
    createTrainJob("demo", more);
  }

  private void createTrainJob(String name, String more) {
    ClusterObjects.createTrainJob(client, name, "torch", more);
  }

  private void suspend(boolean suspend) {
    client
        .resources(TrainJob.class)
        .withName("demo")
        .patch(MERGE, "{\"spec\": {\"suspend\": " + suspend + "}}");
  }

  private int report(String token, int progress, String state) throws Exception {
    return controller.post(demo(), token, body(progress, state)).statusCode();
  }

  private static String body(int progress, String state) {
    return """
    {"trainerStatus": {"progressPercentage": %d, "lastUpdatedTime": "%s",
      "metrics": [{"name": "state", "value": "%s"}]}}
    """
        .formatted(progress, Instant.now(), state);
  }

  private String podToken(String audience, Pod pod) {
    return ClusterObjects.podToken(client, audience, pod);
  }

  private String accountToken(String audience) {
    return ClusterObjects.accountToken(client, audience);
  }

  /** The same claims under a header that says that nobody signed them. */
  private static String unsigned(String token) throws IOException {
    String header =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(new ObjectMapper().writeValueAsBytes(Map.of("alg", "none")));
    JsonNode claims =
        new ObjectMapper().readTree(Base64.getUrlDecoder().decode(token.split("\\.", -1)[1]));
    assertThat(claims.path("aud").isArray()).isTrue();
    return header + "." + token.split("\\.", -1)[1] + ".";
  }

  private void succeed(Pod pod) {
    ClusterObjects.setPhase(client, pod, "Succeeded");
  }

  private Pod pod(String trainJob) {
    return ClusterObjects.pods(client, trainJob).stream().findFirst().orElse(null);
  }

  private JobSet jobSet() {
    return client.resources(JobSet.class).withName("demo").get();
  }

  private TrainJobStatus status() {
    return client.resources(TrainJob.class).withName("demo").get().getStatus();
  }

  private TrainerStatus trainerStatus() {
    return status().trainerStatus();
  }

  private Optional<Condition> condition(String type) {
    TrainJobStatus status = status();
    return status == null || status.conditions() == null
        ? Optional.empty()
        : status.conditions().stream().filter(it -> it.getType().equals(type)).findFirst();
  }

  private int activeJobs() {
    TrainJobStatus status = status();
    return status == null || status.jobsStatus() == null
        ? 0
        : status.jobsStatus().stream().mapToInt(TrainJobStatus.JobStatus::active).sum();
  }

  private boolean isSuspended(String status) {
    return condition("Suspended").filter(it -> it.getStatus().equals(status)).isPresent();
  }

  private List<String> versions() {
    return List.of(
        client.resources(TrainJob.class).withName("demo").get().getMetadata().getResourceVersion(),
        jobSet().getMetadata().getResourceVersion(),
        client.configMaps().withName("demo-tls-config").get().getMetadata().getResourceVersion(),
        client
            .configMaps()
            .withName("demo-runtime-snapshot")
            .get()
            .getMetadata()
            .getResourceVersion());
  }

  private TrainJobKey demo() {
    return new TrainJobKey(namespace(), "demo");
  }

  private String namespace() {
    return client.getNamespace();
  }
}
