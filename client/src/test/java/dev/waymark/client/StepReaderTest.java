package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepReaderTest {

  private static final String RUNNING = "{phase: Running}";

  @Test
  void initializersComeFirstThenNodesByNumber() {
    assertThat(
            Samples.steps(
                Samples.pod("n1", "node", 1, "", RUNNING),
                Samples.pod("m", "model-initializer", 0, "", "{phase: Succeeded}"),
                Samples.pod("n10", "node", 10, "", RUNNING),
                Samples.pod("n0", "node", 0, "", RUNNING),
                Samples.pod("d", "dataset-initializer", 0, "", "{phase: Succeeded}")))
        .extracting(Step::name, Step::podName, Step::container)
        .containsExactly(
            tuple("dataset-initializer", "d", "dataset-initializer"),
            tuple("model-initializer", "m", "model-initializer"),
            tuple("node-0", "n0", "node"),
            tuple("node-1", "n1", "node"),
            tuple("node-10", "n10", "node"));
  }

  @Test
  void withMpiTheLauncherIsTheFirstNode() {
    assertThat(
            Samples.steps(
                Samples.pod("w0", "node", 0, "", RUNNING),
                Samples.pod("w1", "node", 1, "", RUNNING),
                Samples.pod("l", "launcher", 0, "", RUNNING)))
        .extracting(Step::name, Step::podName)
        .containsExactly(tuple("node-0", "l"), tuple("node-1", "w0"), tuple("node-2", "w1"));
  }

  /** kubeflow/trainer#2348: pods that are made anew gave a step twice, and its log twice. */
  @Test
  void ofPodsThatFollowEachOtherTheNewestCounts() {
    Pod before = Samples.pod("old", "node", 0, "", "{phase: Failed}");
    Pod now = Samples.pod("new", "node", 0, "", RUNNING);
    now.getMetadata().setCreationTimestamp("2026-11-30T10:00:01Z");

    assertThat(Samples.steps(now, before)).extracting(Step::podName).containsExactly("new");
    assertThat(Samples.steps(before, now)).extracting(Step::podName).containsExactly("new");
  }

  @ParameterizedTest(name = "{0}: {1} {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          resources: {limits: {nvidia.com/gpu: 4}}                                                          | gpu     | 4
          resources: {limits: {nvidia.com/gpu: 4}}, env: [{name: PET_NPROC_PER_NODE, value: '2'}]           | gpu     | 2
          resources: {limits: {nvidia.com/gpu: 4}}, env: [{name: PET_NPROC_PER_NODE, value: auto}]          | gpu     | 4
          resources: {limits: {huawei.com/Ascend910B: 2}}                                                   | npu     | 2
          env: [{name: PET_NPROC_PER_NODE, value: '3'}]                                                     | Unknown | 3
          resources: {limits: {memory: 1Gi}}                                                                | Unknown | Unknown
          """)
  void seesTheDeviceOfEachStep(String container, String device, String count) {
    assertThat(Samples.steps(Samples.pod("p", "node", 0, container, RUNNING)))
        .singleElement()
        .extracting(Step::device)
        .isEqualTo(new Device(device, count));
  }

  @Test
  void otherPodsHaveNoPart() {
    Pod other = Samples.pod("p", "tensorboard", 0, "", RUNNING);
    Pod unnumbered = Samples.pod("p", "node", 0, "", RUNNING);
    unnumbered.getMetadata().getLabels().remove("batch.kubernetes.io/job-completion-index");
    Pod withoutContainer = Samples.pod("p", "node", 0, "", RUNNING);
    withoutContainer.getSpec().getContainers().get(0).setName("main");

    assertThat(Samples.steps(other, unnumbered, withoutContainer)).isEmpty();
  }

  @Test
  void aPodThatNobodyHasSeenYetHasNoPhase() {
    assertThat(Samples.steps(Samples.pod("p", "node", 0, "", "{}")))
        .singleElement()
        .extracting(Step::phase)
        .isEqualTo("");
  }
}
