package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.testbed.Cluster.Part;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.TrainJob;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A controller that goes away in the midst of its work, or whose watches do. */
abstract class ControllerFaults {

  private static final String FINISHED =
      "kubeflow_trainer_trainjob_finished_total{namespace=\"default\"";

  private final FaultyCluster cluster;
  private RunningController controller;

  @TempDir Path folder;

  ControllerFaults(FaultyCluster cluster) {
    this.cluster = cluster;
  }

  @AfterEach
  void close() {
    if (controller != null) {
      controller.close();
    }
  }

  /** Killed while the API server has its request for each TrainJob's JobSet and doesn't answer. */
  @Test
  void whatAKilledControllerWasAtIsCompletedOnce() throws Exception {
    List<String> begun = List.of("begun-1", "begun-2", "begun-3");
    ControllerProcess killed = new ControllerProcess(cluster.operator(), "");
    String done;
    try {
      killed.installWebhooks();
      cluster.createTrainJob("done");
      cluster.awaitJobSet("done");
      done = uid(cluster.jobSet("done"));
      cluster.parts().pause(Part.JOBSET);
      begun.forEach(cluster::createTrainJob);
      await().until(() -> begun.stream().allMatch(it -> owned(it).size() == 2));
      killed.kill();
      assertThat(begun).allSatisfy(it -> assertThat(cluster.jobSet(it)).isNull());
    } finally {
      killed.kill();
      cluster.parts().resume(Part.JOBSET);
    }

    controller = cluster.startController("");

    begun.forEach(cluster::awaitJobSet);
    await().until(() -> begun.stream().allMatch(it -> jobs(it) == 1));
    assertThat(begun)
        .allSatisfy(
            it ->
                assertThat(owned(it))
                    .containsExactlyInAnyOrder(it + "-runtime-snapshot", it + "-tls-config"));
    assertThat(uid(cluster.jobSet("done"))).isEqualTo(done);
    assertThat(controller.metrics())
        .doesNotContain("kubeflow_trainer_trainjob_created_total{namespace=\"default\"");
    aFinishIsCountedByOneController("begun-1");
  }

  private void aFinishIsCountedByOneController(String trainJob) throws Exception {
    StandInKubelet kubelet = new StandInKubelet(cluster.client(), folder);
    kubelet.succeed(kubelet.awaitPod(trainJob));
    await()
        .untilAsserted(
            () ->
                assertThat(controller.metrics())
                    .containsPattern("(?m)^\\Q" + FINISHED + "\\E[^}]*} 1\\.0$"));

    controller.close();
    controller = cluster.startController("");
    cluster.createTrainJob("fence");
    cluster.awaitJobSet("fence");
    assertThat(controller.metrics()).doesNotContain(FINISHED);
  }

  /** Whoever comes next finds objects half made and completes them, without a second of any. */
  @Test
  void completesWhatAnEarlierControllerLeftHalfMade() throws Exception {
    controller = cluster.startController("");
    cluster.createTrainJob("half");
    cluster.awaitJobSet("half");
    String snapshot = version("half-runtime-snapshot");
    controller.close();
    cluster.client().resources(JobSet.class).withName("half").delete();
    cluster.client().configMaps().withName("half-tls-config").delete();
    await().until(() -> cluster.jobSet("half") == null);

    controller = cluster.startController("");

    cluster.awaitJobSet("half");
    assertThat(cluster.client().configMaps().withName("half-tls-config").get()).isNotNull();
    assertThat(version("half-runtime-snapshot")).isEqualTo(snapshot);
  }

  @Test
  void watchesThatEndAllTheTimeLoseNothing() throws Exception {
    URI apiServer = cluster.client().getMasterUrl().toURI();
    try (ShortWatches way = ShortWatches.to(apiServer, folder)) {
      cluster.operator().connectTo(way.url(), way.authority());
      controller = new RunningController(cluster.operator(), "");
      int begun = way.watches();
      controller.installWebhooks();
      cluster.createTrainJob("first");
      cluster.awaitJobSet("first");
      String snapshot = version("first-runtime-snapshot");

      for (int round = 1; round <= 3; round++) {
        int again = way.watches() + begun;
        await().until(() -> way.watches() >= again);
        cluster.createTrainJob("round-" + round);
        cluster.awaitJobSet("round-" + round);
        assertThat(controller.probe("healthz").statusCode()).isEqualTo(200);
      }

      cluster.suspend("first");
      await().until(() -> cluster.jobSet("first").isSuspended());
      assertThat(version("first-runtime-snapshot")).isEqualTo(snapshot);
      assertThat(controller.fatal()).isEmpty();
    } finally {
      cluster.operator().connectDirectly();
    }
  }

  private String version(String configMap) {
    return cluster
        .client()
        .configMaps()
        .withName(configMap)
        .get()
        .getMetadata()
        .getResourceVersion();
  }

  /** The names of the ConfigMaps that a TrainJob owns. */
  private List<String> owned(String trainJob) {
    String uid = uid(cluster.client().resources(TrainJob.class).withName(trainJob).get());
    return cluster.client().configMaps().list().getItems().stream()
        .filter(it -> isOwned(it, uid))
        .map(it -> it.getMetadata().getName())
        .toList();
  }

  /** How many Jobs the JobSet of a TrainJob has. */
  private long jobs(String trainJob) {
    String uid = uid(cluster.jobSet(trainJob));
    return cluster.client().resources(Job.class).list().getItems().stream()
        .filter(it -> isOwned(it, uid))
        .count();
  }

  private static boolean isOwned(HasMetadata object, String uid) {
    return object.getMetadata().getOwnerReferences().stream()
        .anyMatch(owner -> owner.getUid().equals(uid));
  }

  private static String uid(HasMetadata object) {
    return object.getMetadata().getUid();
  }
}
