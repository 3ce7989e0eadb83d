package dev.waymark.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.waymark.controller.webhook.Decision.Allowed;
import dev.waymark.controller.webhook.Decision.Denied;
import dev.waymark.plan.ClusterSettings;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainingRuntime;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which runtime is asked, and what becomes of what the planner says. */
class ValidatingWebhooksTest {

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final String TRAIN_JOB = "/validate-trainer-kubeflow-org-v1alpha1-trainjob";
  private static final String RUNTIME = "/validate-trainer-kubeflow-org-v1alpha1-trainingruntime";

  private static final String DEFAULTER = "/mutate-trainer-kubeflow-org-v1alpha1-trainjob";
  private static final String SUSPENDED = ", suspend: true";
  private static final String PATCH =
      ", runtimePatches: [{manager: a.io/b, trainingRuntimeSpec: {template: {metadata: {labels:"
          + " {a: b}}}}}]";

  private final FakeState state = new FakeState();

  @Test
  void servesUpstreamsPaths() {
    assertThat(WebhookServer.webhooks(state, Clock.systemUTC()))
        .containsOnlyKeys(
            "/mutate-trainer-kubeflow-org-v1alpha1-trainjob",
            TRAIN_JOB,
            RUNTIME,
            "/validate-trainer-kubeflow-org-v1alpha1-clustertrainingruntime");
  }

  @Test
  void aNewTrainJobIsHeldAgainstItsRuntimeAsItIs() throws Exception {
    assertThat(create(TRAIN_JOB, trainJob(""))).isEqualTo(Decision.ALLOWED);
    assertThat(state.asked).containsExactly("runtime of team-a/demo");

    state.live = Optional.empty();
    assertThat(create(TRAIN_JOB, trainJob("")))
        .isInstanceOfSatisfying(
            Denied.class,
            denied -> {
              assertThat(denied.code()).isEqualTo(403);
              assertThat(denied.message()).startsWith("spec.runtimeRef: ");
            });
  }

  @Test
  void aStoredTrainJobGoesByItsSnapshot() throws Exception {
    state.live = Optional.empty();

    assertThat(update(TRAIN_JOB, trainJob(SUSPENDED), trainJob(SUSPENDED + PATCH)))
        .isInstanceOf(Allowed.class);
    assertThat(state.asked).containsExactly("snapshot of team-a/demo", "jobSet of team-a/demo");
  }

  /** Whoever wants to stop a TrainJob, or to let it go, depends on nothing. */
  @ParameterizedTest(name = "{0}")
  @MethodSource
  void aChangeThatLeavesTheTrainingAsItIsIsTakenBeforeAnythingIsRead(
      String what, JsonNode before, JsonNode after) throws Exception {
    state.broken = true;

    for (String path : List.of(TRAIN_JOB, DEFAULTER)) {
      assertThat(update(path, before, after)).isEqualTo(Decision.ALLOWED);
    }
    assertThat(state.asked).isEmpty();
  }

  static Stream<Arguments> aChangeThatLeavesTheTrainingAsItIsIsTakenBeforeAnythingIsRead()
      throws Exception {
    String unreadable = ", trainer: {numNodes: many}";
    return Stream.of(
        arguments("suspend", trainJob(""), trainJob(SUSPENDED)),
        arguments("resume", trainJob(SUSPENDED), trainJob(", suspend: false")),
        arguments("suspend one of several patches", trainJob(PATCH), trainJob(PATCH + SUSPENDED)),
        arguments(
            "suspend an unreadable one", trainJob(unreadable), trainJob(unreadable + SUSPENDED)),
        arguments("label", trainJob(""), with(trainJob(""), "labels: {a: b}")),
        arguments(
            "remove a finalizer of an unreadable one",
            with(trainJob(unreadable), "finalizers: [foregroundDeletion]"),
            trainJob(unreadable)),
        arguments(
            "whatever of one that is being deleted",
            trainJob(""),
            with(trainJob(PATCH), "deletionTimestamp: '2026-01-02T03:04:05Z'")));
  }

  @Test
  void anyOtherChangeWaitsUntilTheClusterCanBeAsked() {
    state.broken = true;

    assertThatThrownBy(() -> update(TRAIN_JOB, trainJob(""), trainJob(PATCH)))
        .hasMessage("the cluster can't be asked");
  }

  @Test
  void aChangeMayMendATrainJobThatCannotBeRead() throws Exception {
    assertThat(update(TRAIN_JOB, trainJob(", suspend: 7"), trainJob("")))
        .isInstanceOf(Allowed.class);
  }

  @Test
  void aTrainJobThatCannotBeReadIsNotJudged() {
    assertThatThrownBy(() -> create(TRAIN_JOB, trainJob(", suspend: 7")))
        .isInstanceOf(UnreadableObjectException.class)
        .hasMessageContaining("spec.suspend");
    assertThat(state.asked).isEmpty();
  }

  @Test
  void severalRefusalsComeInBrackets() throws Exception {
    Denied denied =
        (Denied) create(TRAIN_JOB, trainJob(", runtimePatches: [{manager: a}, {manager: b}]"));

    assertThat(denied.code()).isEqualTo(403);
    assertThat(denied.message())
        .startsWith("[spec.runtimePatches")
        .contains(", spec")
        .endsWith("]");
  }

  @Test
  void whoUsesADeprecatedRuntimeIsWarned() throws Exception {
    state.live = Optional.of(labelled("deprecated"));

    assertThat(create(TRAIN_JOB, trainJob("")))
        .isInstanceOfSatisfying(
            Allowed.class,
            allowed ->
                assertThat(allowed.warnings())
                    .singleElement()
                    .asString()
                    .contains("Referenced TrainingRuntime", "rt", "is deprecated"));
  }

  @Test
  void whoAsksForWhatNoPodCanHaveIsWarned() throws Exception {
    String resources = "resourcesPerNode: {limits: {cpu: 1}, requests: {cpu: 2}}";

    assertThat(create(TRAIN_JOB, trainJob(", trainer: {" + resources + "}")))
        .isInstanceOfSatisfying(
            Allowed.class,
            allowed ->
                assertThat(allowed.warnings())
                    .singleElement()
                    .asString()
                    .startsWith("spec.trainer.resourcesPerNode: the request of cpu, 2, is above"));
    assertThat(create(TRAIN_JOB, trainJob(", trainer: {numNodes: -1, " + resources + "}")))
        .isInstanceOfSatisfying(Denied.class, denied -> assertThat(denied.warnings()).isEmpty());
  }

  @Test
  void runtimesAreJudgedWhenTheyAreMadeAndWhenTheyChange() throws Exception {
    JsonNode good = runtimeJson(1, "current");
    JsonNode bad = runtimeJson(2, "current");

    assertThat(create(RUNTIME, good)).isEqualTo(Decision.ALLOWED);
    assertThat(((Denied) create(RUNTIME, bad)).message())
        .startsWith("spec.template.spec.replicatedJobs[0].replicas: ");
    assertThat(((Denied) update(RUNTIME, good, bad)).code()).isEqualTo(403);
    assertThat(((Allowed) create(RUNTIME, runtimeJson(1, "deprecated"))).warnings()).hasSize(1);
    assertThat(((Allowed) update(RUNTIME, good, runtimeJson(1, "deprecated"))).warnings())
        .isEmpty();
  }

  /** Whoever wants to let a runtime go depends on nobody who can read it. */
  @ParameterizedTest(name = "{0}")
  @MethodSource
  void aRuntimeThatNobodyCanReadCanBeLetGo(String what, JsonNode before, JsonNode after)
      throws Exception {
    assertThat(update(RUNTIME, before, after)).isEqualTo(Decision.ALLOWED);
  }

  static Stream<Arguments> aRuntimeThatNobodyCanReadCanBeLetGo() throws Exception {
    return Stream.of(
        arguments("label", unreadable(1), with(unreadable(1), "labels: {a: b}")),
        arguments(
            "remove a finalizer",
            with(unreadable(1), "finalizers: [trainer.kubeflow.org/resource-in-use]"),
            with(unreadable(1), "deletionTimestamp: '2026-01-02T03:04:05Z'")),
        arguments(
            "whatever of one that is being deleted",
            unreadable(1),
            with(unreadable(2), "deletionTimestamp: '2026-01-02T03:04:05Z'")));
  }

  @Test
  void aRuntimeThatNobodyCanReadChangesOnlyToOneThatCanBeRead() throws Exception {
    assertThatThrownBy(() -> update(RUNTIME, unreadable(1), unreadable(2)))
        .isInstanceOf(UnreadableObjectException.class)
        .hasMessageContaining("spec.mlPolicy.numNodes");
    assertThat(update(RUNTIME, unreadable(1), runtimeJson(1, "current")))
        .isEqualTo(Decision.ALLOWED);
  }

  private static JsonNode unreadable(int replicas) throws Exception {
    JsonNode runtime = runtimeJson(replicas, "current");
    ((ObjectNode) runtime.get("spec")).set("mlPolicy", YAML.readTree("{numNodes: many}"));
    return runtime;
  }

  private Decision create(String path, JsonNode object) throws Exception {
    return review(path, new AdmissionRequest("u", "CREATE", "team-a", null, object, null));
  }

  private Decision update(String path, JsonNode old, JsonNode object) throws Exception {
    return review(path, new AdmissionRequest("u", "UPDATE", "team-a", null, object, old));
  }

  private Decision review(String path, AdmissionRequest request) throws Exception {
    return WebhookServer.webhooks(state, Clock.systemUTC()).get(path).review(request);
  }

  private static JsonNode trainJob(String spec) throws Exception {
    return YAML.readTree(
        "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, metadata: {name: demo},"
            + " spec: {runtimeRef: {name: rt, kind: TrainingRuntime}"
            + spec
            + "}}");
  }

  private static JsonNode with(JsonNode object, String metadata) throws Exception {
    ((ObjectNode) object.get("metadata")).setAll((ObjectNode) YAML.readTree("{" + metadata + "}"));
    return object;
  }

  private static JsonNode runtimeJson(int replicas, String support) throws Exception {
    return YAML.readTree(
        """
        apiVersion: trainer.kubeflow.org/v1alpha1
        kind: TrainingRuntime
        metadata: {name: rt, namespace: team-a, labels: {trainer.kubeflow.org/support: %s}}
        spec:
          template:
            spec:
              replicatedJobs:
              - name: node
                replicas: %d
                template:
                  metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
                  spec: {template: {spec: {containers: [{name: node, image: demo}]}}}
        """
            .formatted(support, replicas));
  }

  private static RuntimeResource labelled(String support) throws Exception {
    return TypedObjects.read(runtimeJson(1, support), TrainingRuntime.class);
  }

  private static final class FakeState implements AdmissionState {

    final List<String> asked = new ArrayList<>();
    Optional<RuntimeResource> live;
    boolean broken;
    private final RuntimeResource snapshot;

    FakeState() {
      try {
        live = Optional.of(labelled("current"));
        snapshot = labelled("current");
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public Optional<RuntimeResource> runtime(TrainJob trainJob) {
      ask("runtime of " + key(trainJob));
      return live;
    }

    @Override
    public Optional<RuntimeResource> runtimeOfStored(TrainJob trainJob) {
      ask("snapshot of " + key(trainJob));
      return Optional.of(snapshot);
    }

    @Override
    public Optional<JobSet> jobSet(TrainJob trainJob) {
      ask("jobSet of " + key(trainJob));
      return Optional.empty();
    }

    @Override
    public ClusterSettings settings() {
      if (broken) {
        throw new IllegalStateException("nobody could trust the status server");
      }
      return ClusterSettings.NONE;
    }

    private void ask(String what) {
      asked.add(what);
      if (broken) {
        throw new IllegalStateException("the cluster can't be asked");
      }
    }

    private static String key(TrainJob trainJob) {
      return trainJob.getMetadata().getNamespace() + "/" + trainJob.name();
    }
  }
}
