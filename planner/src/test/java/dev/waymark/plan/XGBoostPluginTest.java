package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.trainer.api.TrainJob;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XGBoostPluginTest {

  @ParameterizedTest(name = "{0} nodes of {1} GPUs: {2}")
  @CsvSource({
    "1, 0, 1",
    "3, 0, 3",
    "3, 4, 12",
    "2147483647, 8, 17179869176",
  })
  void countsAWorkerAGpuOrOneANode(int nodes, int gpus, String workers) {
    TrainJob job =
        Yaml.trainJob(
            "trainer: {numNodes: %d, resourcesPerNode: {limits: {nvidia.com/gpu: %d}}}"
                .formatted(nodes, gpus));

    RuntimePlan plan = Planner.plan(job, Yaml.runtime("{xgboost: {}}"));

    assertThat(plan.podSet("node").flatMap(it -> it.container("node")).orElseThrow().getEnv())
        .filteredOn(it -> it.getName().equals("DMLC_NUM_WORKER"))
        .extracting(it -> it.getValue())
        .containsExactly(workers);
  }
}
