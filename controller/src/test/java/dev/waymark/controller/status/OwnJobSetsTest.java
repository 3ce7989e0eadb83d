package dev.waymark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waymark.controller.FakeApiServer;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.kubernetes.ApiServerException;
import dev.waymark.controller.status.StatusService.KnownTrainJobs;
import dev.waymark.status.TrainJobKey;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnJobSetsTest {

  private static final TrainJobKey DEMO = new TrainJobKey("team-a", "demo");
  private static final String PATH =
      "/apis/jobset.x-k8s.io/v1alpha2/namespaces/team-a/jobsets/demo";

  private static final String OWNED =
      "[{\"controller\": true, \"kind\": \"TrainJob\","
          + " \"apiVersion\": \"trainer.kubeflow.org/v1alpha1\", \"name\": \"demo\","
          + " \"uid\": \"tj\"}]";

  private final FakeApiServer apiServer = new FakeApiServer();
  private final Cache cache = new Cache();
  private KubernetesClient client;
  private OwnJobSets jobSets;

  /** What the caches know of the one TrainJob. */
  private static final class Cache implements KnownTrainJobs {
    String uid = "tj";
    String jobSetUid;
    String deletedJobSetUid;

    @Override
    public Optional<String> uid(TrainJobKey trainJob) {
      return Optional.ofNullable(uid);
    }

    @Override
    public Optional<String> jobSetUid(TrainJobKey trainJob) {
      return Optional.ofNullable(jobSetUid);
    }

    @Override
    public Optional<String> deletedJobSetUid(TrainJobKey trainJob) {
      return Optional.ofNullable(deletedJobSetUid);
    }
  }

  @BeforeEach
  void connect() {
    client = apiServer.newClient();
    jobSets = new OwnJobSets(cache, new ApiServer(client));
  }

  @AfterEach
  void close() {
    client.close();
    apiServer.close();
  }

  @Test
  void goesByTheCacheAsLongAsThatKnowsIt() {
    cache.jobSetUid = "js";

    assertThat(isOwn("js")).isTrue();
    assertThat(apiServer.reads(PATH)).isZero();
  }

  /** The cache has no JobSet of the TrainJob, and the cluster has the one with uid js. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "its own,                 js,  true,  TrainJob, trainer.kubeflow.org/v1alpha1, demo,  tj,  true",
    "of another uid,          old, true,  TrainJob, trainer.kubeflow.org/v1alpha1, demo,  tj,  false",
    "an earlier TrainJob's,   js,  true,  TrainJob, trainer.kubeflow.org/v1alpha1, demo,  old, false",
    "another TrainJob's,      js,  true,  TrainJob, trainer.kubeflow.org/v1alpha1, other, tj,  false",
    "owned but not controlled,js,  false, TrainJob, trainer.kubeflow.org/v1alpha1, demo,  tj,  false",
    "another group's,         js,  true,  TrainJob, example.org/v1,                demo,  tj,  false",
    "another kind's,          js,  true,  Workflow, trainer.kubeflow.org/v1alpha1, demo,  tj,  false",
  })
  void asksTheApiServerWhenTheCacheDoesNotKnowIt(
      String what,
      String asked,
      boolean controller,
      String kind,
      String apiVersion,
      String name,
      String uid,
      boolean own) {
    put(
        "[{\"controller\": %s, \"kind\": \"%s\", \"apiVersion\": \"%s\", \"name\": \"%s\", \"uid\": \"%s\"}]"
            .formatted(controller, kind, apiVersion, name, uid));

    assertThat(isOwn(asked)).isEqualTo(own);
  }

  @Test
  void aJobSetThatNobodyControlsIsForeign() {
    put("[]");

    assertThat(isOwn("js")).isFalse();
  }

  @Test
  void theCacheMayBeBehind() {
    cache.jobSetUid = "old";
    put(OWNED);

    assertThat(isOwn("js")).isTrue();
  }

  @Test
  void aFloodCostsOneRequestInASecond() {
    for (int i = 0; i < 100; i++) {
      assertThat(isOwn("forged-" + i)).isFalse();
    }

    assertThat(apiServer.reads(PATH)).isLessThan(100);
  }

  /** The deadline has taken the JobSet away, and its pods have a last word to say. */
  @Test
  void whatWasItsOwnRemainsItWhileThereIsNoOther() {
    assertThat(isOwn("js")).as("never known").isFalse();

    cache.deletedJobSetUid = "js";
    assertThat(isOwn("js")).isTrue();
    assertThat(isOwn("forged")).isFalse();

    put(OWNED.replace("tj", "somebody"));
    await().untilAsserted(() -> assertThat(isOwn("js")).isFalse());
  }

  @Test
  void doesNotDecideWhenTheApiServerRefuses() {
    apiServer.deny(PATH);

    assertThatThrownBy(() -> isOwn("js")).hasCauseInstanceOf(ApiServerException.class);
  }

  private void put(String owners) {
    apiServer.put(
        PATH,
        "{\"apiVersion\": \"jobset.x-k8s.io/v1alpha2\", \"kind\": \"JobSet\", \"metadata\":"
            + " {\"name\": \"demo\", \"namespace\": \"team-a\", \"uid\": \"js\","
            + " \"ownerReferences\": "
            + owners
            + "}}");
  }

  private boolean isOwn(String uid) {
    return jobSets.isOwn(DEMO, uid).toCompletableFuture().join();
  }
}
