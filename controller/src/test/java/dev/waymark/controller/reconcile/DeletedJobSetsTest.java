package dev.waymark.controller.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.controller.status.StatusService.KnownTrainJobs;
import dev.waymark.status.TrainJobKey;
import org.junit.jupiter.api.Test;

/** The last words of pods whose JobSet has gone are taken by a replica that never heard of them. */
class DeletedJobSetsTest extends OnFakeApiServer {

  private static final TrainJobKey DEMO = new TrainJobKey("team-a", "demo");

  @Test
  void areKnownAsTheirTrainJobs() {
    reconcilers.start();
    KnownTrainJobs known = reconcilers.knownTrainJobs();
    createTrainJob("");
    await().until(() -> known.jobSetUid(DEMO).isPresent());
    String uid = uid(JOBSET);
    assertThat(known.deletedJobSetUid(DEMO)).isEmpty();

    apiServer.delete(JOBSET);

    await().untilAsserted(() -> assertThat(known.deletedJobSetUid(DEMO)).contains(uid));
  }

  @Test
  void areNothingToATrainJobThatWasMadeAnew() {
    reconcilers.start();
    KnownTrainJobs known = reconcilers.knownTrainJobs();
    createTrainJob("");
    await().until(() -> known.jobSetUid(DEMO).isPresent());
    apiServer.delete(JOBSET);
    await().until(() -> known.deletedJobSetUid(DEMO).isPresent());

    apiServer.change(TRAINJOB, "{\"metadata\": {\"uid\": \"another\"}}");

    await().until(() -> known.uid(DEMO).orElse("").equals("another"));
    assertThat(known.deletedJobSetUid(DEMO)).isEmpty();
  }

  @Test
  void ofOthersAreNotRemembered() {
    apiServer.put(
        JOBSET,
        """
        {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
         "metadata": {"name": "demo", "namespace": "team-a"},
         "spec": {"replicatedJobs": []}}
        """);
    reconcilers.start();
    createTrainJob("");
    await().until(() -> !events().isEmpty());

    apiServer.delete(JOBSET);

    KnownTrainJobs known = reconcilers.knownTrainJobs();
    await().until(() -> known.jobSetUid(DEMO).isPresent());
    assertThat(known.deletedJobSetUid(DEMO)).isEmpty();
  }
}
