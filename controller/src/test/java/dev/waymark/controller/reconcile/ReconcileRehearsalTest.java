package dev.waymark.controller.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.controller.kubernetes.ClusterConnection;
import dev.waymark.trainer.api.JobSet;
import io.fabric8.kubernetes.api.model.EnvVar;
import org.junit.jupiter.api.Test;

class ReconcileRehearsalTest {

  @Test
  void theSampleBecomesAWholeJobSet() {
    JobSet jobSet = new ReconcileRehearsal(ClusterConnection.serialization()).perform();

    assertThat(jobSet.getMetadata().getOwnerReferences()).hasSize(1);
    assertThat(jobSet.getSpec().replicatedJobs())
        .singleElement()
        .satisfies(
            job ->
                assertThat(job.template().getSpec().getTemplate().getSpec().getContainers())
                    .singleElement()
                    .satisfies(
                        node ->
                            assertThat(node.getEnv())
                                .extracting(EnvVar::getName)
                                .contains("A", "PET_NNODES", "KUBEFLOW_TRAINER_SERVER_URL")));
  }
}
