package dev.waymark.controller;

import static dev.waymark.controller.FaultyCluster.ELECTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.testbed.Cluster.Part;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The API server and etcd away, and the lead lost or handed over. */
abstract class ClusterFaults {

  /** How long etcd is silent. */
  private static final Duration SILENCE =
      Duration.ofSeconds(Integer.getInteger("waymark.test.etcd.away", 5));

  private final FaultyCluster cluster;
  private RunningController controller;

  ClusterFaults(FaultyCluster cluster) {
    this.cluster = cluster;
  }

  @AfterEach
  void close() {
    controller.close();
  }

  @Test
  void servesNewTrainJobsAfterTheApiServerWasAway() throws Exception {
    controller = cluster.startController("");
    cluster.createTrainJob("before");
    cluster.awaitJobSet("before");

    cluster.parts().stop(Part.API_SERVER);
    await().until(() -> controller.probe("readyz").statusCode() == 503);
    assertThat(controller.probe("healthz").statusCode()).isEqualTo(200);
    cluster.parts().start(Part.API_SERVER);

    cluster.awaitAnswers();
    cluster.createTrainJob("after");
    cluster.awaitJobSet("after");
    await().until(() -> controller.probe("readyz").statusCode() == 200);
    assertThat(controller.fatal()).isEmpty();
  }

  @Test
  void waitsForAnApiServerWhoseEtcdIsSilent() throws Exception {
    controller = cluster.startController("");
    cluster.createTrainJob("talking");
    cluster.awaitJobSet("talking");

    cluster.parts().pause(Part.ETCD);
    await().during(SILENCE).until(() -> controller.fatal().isEmpty());
    cluster.parts().resume(Part.ETCD);

    cluster.awaitAnswers();
    cluster.createTrainJob("again");
    cluster.awaitJobSet("again");
    assertThat(controller.fatal()).isEmpty();
  }

  /**
   * A lead that can't be renewed is given up; what a kubelet does then is all the help there is.
   */
  @Test
  void oneOfTwoReplicasLeadsAfterAnEtcdThatWasSilentForLongerThanTheLease() throws Exception {
    controller = new RunningController(cluster.operator(), ELECTION);
    RunningController standby = new RunningController(cluster.operator(), ELECTION);
    try {
      assertThat(leads(controller)).isTrue();
      cluster.parts().pause(Part.ETCD);
      await().pollDelay(SILENCE).until(() -> controller.fatal().isPresent());
      cluster.parts().resume(Part.ETCD);
      cluster.awaitAnswers();

      controller.close();
      controller = cluster.startController(ELECTION);
      await()
          .until(
              () ->
                  leads(controller)
                      || leads(standby)
                      || standby.probe("healthz").statusCode() != 200);
      cluster.createTrainJob("led-again");
      cluster.awaitJobSet("led-again");
    } finally {
      standby.close();
      cluster.client().resources(Lease.class).withName("it").delete();
    }
  }

  private static boolean leads(RunningController replica) throws Exception {
    return replica.metrics().contains("kubeflow_trainer_");
  }

  @Test
  void givesUpWhenAnotherReplicaTookTheLead() throws Exception {
    controller = cluster.startController(ELECTION);
    cluster.createTrainJob("led");
    cluster.awaitJobSet("led");

    cluster
        .client()
        .resources(Lease.class)
        .withName("it")
        // Not by an edit, which the renewal can get in between.
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\": {\"holderIdentity\": \"a thief\", \"leaseDurationSeconds\": 3600}}");

    await().until(() -> controller.fatal().isPresent());
    assertThat(controller.fatal()).contains("leadership is lost");
    assertThat(leads(controller)).isFalse();
    cluster.client().resources(Lease.class).withName("it").delete();
  }

  @Test
  void handsTheLeadOverWhenItEnds() throws Exception {
    controller = new RunningController(cluster.operator(), ELECTION.replace("3s", "600s"));
    // Whoever leads, any replica is asked about what users do.
    RunningController other = cluster.startController(ELECTION.replace("3s", "600s"));
    try {
      assertThat(leads(other)).isFalse();

      controller.close();

      await().until(() -> leads(other));
      cluster.createTrainJob("heir");
      cluster.awaitJobSet("heir");
    } finally {
      other.close();
      cluster.client().resources(Lease.class).withName("it").delete();
    }
  }
}
