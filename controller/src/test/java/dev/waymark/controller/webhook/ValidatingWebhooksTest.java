package dev.waymark.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import org.junit.jupiter.api.Test;

/** Which runtime is asked, and what becomes of what the planner says. */
class ValidatingWebhooksTest {

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final String TRAIN_JOB = "/validate-trainer-kubeflow-org-v1alpha1-trainjob";
  private static final String RUNTIME = "/validate-trainer-kubeflow-org-v1alpha1-trainingruntime";

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

    assertThat(update(TRAIN_JOB, trainJob(""), trainJob(", suspend: true")))
        .isInstanceOf(Allowed.class);
    assertThat(state.asked).containsExactly("snapshot of team-a/demo", "jobSet of team-a/demo");
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
      asked.add("runtime of " + key(trainJob));
      return live;
    }

    @Override
    public Optional<RuntimeResource> runtimeOfStored(TrainJob trainJob) {
      asked.add("snapshot of " + key(trainJob));
      return Optional.of(snapshot);
    }

    @Override
    public Optional<JobSet> jobSet(TrainJob trainJob) {
      asked.add("jobSet of " + key(trainJob));
      return Optional.empty();
    }

    @Override
    public ClusterSettings settings() {
      return ClusterSettings.NONE;
    }

    private static String key(TrainJob trainJob) {
      return trainJob.getMetadata().getNamespace() + "/" + trainJob.name();
    }
  }
}
