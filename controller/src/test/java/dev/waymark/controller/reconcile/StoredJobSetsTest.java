package dev.waymark.controller.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** JobSets that were there before: made by another version, another controller, another replica. */
class StoredJobSetsTest extends OnFakeApiServer {

  private static final String OWNED =
      """
      "namespace": "team-a", "ownerReferences": [{"apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob", "name": "demo", "uid": "1-2-3", "controller": true}]
      """;

  /** With what no rendering of here would have. */
  private static final String STORED =
      """
      {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
       "metadata": {"name": "demo", "labels": {"a": "b"}, %s},
       "spec": {"suspend": false, "replicatedJobs": [{"name": "node", "replicas": 1, "template": {
         "spec": {"template": {"metadata": {"labels": {"pod-group": "demo"}}, "spec": {"containers": [
           {"name": "node", "image": "registry.example/of-old:1", "command": ["flux"]}]}}}}}]}}
      """
          .formatted(OWNED);

  private static final String SNAPSHOT_WITHOUT_DATA =
      """
      {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "demo-runtime-snapshot", %s}}
      """
          .formatted(OWNED);

  private static final String TLS_OF_THEN =
      """
      {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "demo-tls-config", %s},
       "data": {"ca.crt": "old"}}
      """
          .formatted(OWNED);

  /**
   * Why no plan can be made today: what is merged into the runtime, and into the TrainJob's spec.
   */
  private record Obstacle(String runtime, String trainJob, boolean isUnsupported, String told) {}

  static Stream<Obstacle> obstacles() {
    return Stream.of(
        new Obstacle("{\"mlPolicy\": {\"flux\": {}}}", "", true, "spec.mlPolicy.flux"),
        new Obstacle(
            "{\"podGroupPolicy\": {\"coscheduling\": {}}}",
            "",
            true,
            "spec.podGroupPolicy.coscheduling"),
        new Obstacle(
            "{\"podGroupPolicy\": {\"volcano\": {}}}", "", true, "spec.podGroupPolicy.volcano"),
        new Obstacle(
            "{\"mlPolicy\": {\"torch\": {}}}",
            "\"trainer\": {\"command\": [\"tune\", \"run\"]}",
            true,
            "torchtune"),
        new Obstacle(
            "{}",
            "\"runtimeRef\": {\"name\": \"x\", \"kind\": \"Job\", \"apiGroup\": \"batch\"}",
            true,
            "unsupported runtime"),
        new Obstacle(
            "{}", "\"runtimeRef\": {\"name\": \"deleted\"}", false, "not found ClusterTraining"),
        new Obstacle(
            "{\"template\": {\"spec\": {\"replicatedJobs\": []}}}", "", false, "spec.template"),
        new Obstacle(
            "{}",
            "\"runtimePatches\": [{\"manager\": \"a.example/b\", \"trainingRuntimeSpec\":"
                + " {\"template\": {\"spec\": {\"replicatedJobs\": [{\"name\": \"ghost\"}]}}}}]",
            false,
            "spec.runtimePatches"));
  }

  @ParameterizedTest
  @MethodSource("obstacles")
  void goOnWhereTheyCouldNotBePlannedToday(Obstacle obstacle) {
    apiServer.change(RUNTIME, "{\"spec\": " + obstacle.runtime() + "}");
    JsonNode jobs = apiServer.put(JOBSET, STORED).at("/spec/replicatedJobs").deepCopy();
    reconcilers.start();
    createTrainJob(obstacle.trainJob());
    await().until(() -> !events().isEmpty());

    apiServer.change(TRAINJOB, "{\"spec\": {\"suspend\": true}}");
    await().until(() -> jobSet().at("/spec/suspend").asBoolean());
    await().until(() -> condition("Suspended").equals("True"));
    apiServer.change(TRAINJOB, "{\"spec\": {\"suspend\": false}}");
    await().until(() -> !jobSet().at("/spec/suspend").asBoolean());
    await().until(() -> condition("Suspended").equals("False"));

    assertThat(jobSet().at("/spec/replicatedJobs")).isEqualTo(jobs);
    assertThat(jobSet().at("/metadata/labels").toString()).isEqualTo("{\"a\":\"b\"}");
    assertThat(condition("Failed")).isEmpty();
    assertThat(events())
        .singleElement()
        .asString()
        .startsWith("TrainJobResourcesCreationFailed: ")
        .contains(obstacle.told())
        .endsWith("; JobSet demo stays as it is, and only suspending and resuming reach it");

    complete();
    await().until(() -> condition("Complete").equals("True"));
    await().untilAsserted(() -> assertThat(observed.finished).containsExactly("demo"));
  }

  /** What this version doesn't run is still refused where nothing of it is there yet. */
  @ParameterizedTest
  @MethodSource("obstacles")
  void areNotMadeOfWhatThisVersionDoesNotRun(Obstacle obstacle) {
    apiServer.change(RUNTIME, "{\"spec\": " + obstacle.runtime() + "}");
    reconcilers.start();
    createTrainJob(obstacle.trainJob());
    await().until(() -> !events().isEmpty());
    settle();

    assertThat(condition("Failed")).isEqualTo(obstacle.isUnsupported() ? "True" : "");
    assertThat(apiServer.get(JOBSET)).isEmpty();
  }

  /** One that ends it, one that is tried again, and one that the runtime is to blame for. */
  static Stream<Obstacle> someObstacles() {
    return obstacles()
        .filter(it -> it.told().matches("spec.mlPolicy.flux|not found.*|spec.template"));
  }

  /** Whatever can't be planned today, its pods report on. */
  @ParameterizedTest
  @MethodSource("someObstacles")
  void trustTheNewAuthorityWhereTheyCouldNotBePlannedToday(Obstacle obstacle) {
    apiServer.change(RUNTIME, "{\"spec\": " + obstacle.runtime() + "}");
    apiServer.put(JOBSET, STORED);
    apiServer.put(TLS_CONFIG, TLS_OF_THEN);
    reconcilers.start();
    createTrainJob(obstacle.trainJob());
    await().until(() -> authority().equals("certificate"));
    await().until(() -> !events().isEmpty());

    trusted.change("new");

    await().until(() -> authority().equals("new"));
    settle();
    assertThat(paths("PATCH")).doesNotContain(JOBSET);
    assertThat(paths("PATCH").stream().filter(TLS_CONFIG::equals)).hasSize(2);
  }

  @Test
  void getNoAuthorityWhoseControllerGaveThemNone() {
    apiServer.change(RUNTIME, "{\"spec\": {\"mlPolicy\": {\"flux\": {}}}}");
    apiServer.put(JOBSET, STORED);
    apiServer.put(TLS_CONFIG, TLS_OF_THEN.replace(UID, "4-5-6"));
    reconcilers.start();
    createTrainJob("");
    await().until(() -> !events().isEmpty());

    trusted.change("new");
    settle();

    assertThat(authority()).as("somebody else's").isEqualTo("old");
  }

  @Test
  void goOnWhereTheSnapshotIsDamaged() {
    apiServer.put(SNAPSHOT, SNAPSHOT_WITHOUT_DATA);
    apiServer.put(JOBSET, STORED);
    reconcilers.start();
    createTrainJob("\"suspend\": true");

    await().until(() -> jobSet().at("/spec/suspend").asBoolean());
    await().until(() -> !events().isEmpty());
    assertThat(events())
        .singleElement()
        .asString()
        .contains("invalid runtime snapshot: the key runtime is missing; JobSet demo stays as");
  }

  /** A queue may have said in its patches where it may run, so it waits until they are known. */
  @Test
  void canBeStoppedEvenWhenNothingElseCanBeDone() {
    reconcilers.start();
    createTrainJob("");
    await().until(() -> apiServer.get(JOBSET).isPresent());

    trusted.change(null);
    apiServer.change(TRAINJOB, "{\"spec\": {\"suspend\": true}}");
    await().until(() -> jobSet().at("/spec/suspend").asBoolean());
    apiServer.change(TRAINJOB, "{\"spec\": {\"suspend\": false}}");
    settle();
    assertThat(jobSet().at("/spec/suspend").asBoolean()).isTrue();

    trusted.change("new");
    await().until(() -> !jobSet().at("/spec/suspend").asBoolean());
  }

  /** A replica that has just taken over may not have heard yet what the one before it wrote. */
  @Test
  void areNotRenderedAnewWhereTheCacheIsBehind() {
    reconcilers.start();
    ObjectNode stored = apiServer.putUnseen(JOBSET, STORED);
    apiServer.putUnseen(SNAPSHOT, SNAPSHOT_WITHOUT_DATA);
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    data.withObject("/data").put("runtime", runtimeOfThen());
    ObjectNode snapshot = apiServer.changeUnseen(SNAPSHOT, data.toString());

    createTrainJob("");
    await().until(() -> apiServer.get(TLS_CONFIG).isPresent());
    settle();

    assertThat(apiServer.get(JOBSET)).contains(stored);
    assertThat(apiServer.get(SNAPSHOT)).contains(snapshot);
  }

  @Test
  void ofSomebodyElseAreLeftAloneWhereTheCacheIsBehind() {
    reconcilers.start();
    ObjectNode foreign = apiServer.putUnseen(JOBSET, STORED.replace(UID, "4-5-6"));

    createTrainJob("");
    await().until(() -> !events().isEmpty());
    settle();

    assertThat(apiServer.get(JOBSET)).contains(foreign);
    assertThat(events())
        .singleElement()
        .asString()
        .contains("is there already and belongs to TrainJob demo 4-5-6");
  }

  /** Whether a label is an earlier rendering's, which an apply takes away, only that can tell. */
  @Test
  void areAppliedOnceOverLabelsThatNoRenderingNames() {
    reconcilers.start();
    createTrainJob("\"suspend\": true");
    await().until(() -> condition("Suspended").equals("True"));
    long before = applies();

    apiServer.change(JOBSET, "{\"metadata\": {\"labels\": {\"a\": \"b\"}}}");
    await().until(() -> applies() == before + 1);
    apiServer.change(TRAINJOB, "{\"metadata\": {\"labels\": {\"a\": \"b\"}}}");
    settle();

    assertThat(applies()).isEqualTo(before + 1);
  }

  private long applies() {
    return paths("PATCH").stream().filter(JOBSET::equals).count();
  }

  private String runtimeOfThen() {
    return apiServer.get(RUNTIME).orElseThrow().toString().replace("/app:1", "/app:0");
  }

  private String authority() {
    return apiServer.get(TLS_CONFIG).orElseThrow().at("/data/ca.crt").asText();
  }

  private JsonNode jobSet() {
    return apiServer.get(JOBSET).orElseThrow();
  }
}
