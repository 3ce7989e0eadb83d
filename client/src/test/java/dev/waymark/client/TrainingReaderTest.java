package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.trainer.api.TrainJob;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrainingReaderTest {

  private final TrainingReader reader = new TrainingReader(DeviceMap.standard());

  @ParameterizedTest(name = "{0}, {1}, pods {2}: {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # spec              | status                                                               | phases of its nodes | state
          ''                  | ''                                                                   |                     | Created
          ''                  | {conditions: []}                                                     |                     | Created
          numNodes: 2         | ''                                                                   | Pending Pending     | Pending
          numNodes: 2         | ''                                                                   | Running Pending     | Pending
          numNodes: 2         | ''                                                                   | Running Running     | Running
          numNodes: 2         | ''                                                                   | Running Succeeded   | Running
          # Without the right to see pods
          ''                  | {jobsStatus: [{name: node, ready: 0, active: 1, succeeded: 0, failed: 0, suspended: 0}]} | | Pending
          ''                  | {jobsStatus: [{name: node, ready: 1, active: 1, succeeded: 0, failed: 0, suspended: 0}]} | | Running
          ''                  | {jobsStatus: [{name: dataset-initializer, ready: 1, active: 1, succeeded: 0, failed: 0, suspended: 0}]} | | Pending
          # The last condition that is True wins
          ''                  | {conditions: [COMPLETE]}                                             |                     | Complete
          ''                  | {conditions: [FAILED]}                                               | Failed              | Failed
          ''                  | {conditions: [COMPLETE, FAILED]}                                     |                     | Failed
          ''                  | {conditions: [FAILED, COMPLETE]}                                     |                     | Complete
          # Who was resumed has a condition Suspended that is False (kubeflow/sdk#803: Created)
          ''                  | {conditions: [RESUMED]}                                              | Running             | Running
          ''                  | {conditions: [RESUMED]}                                              |                     | Created
          # The condition follows the spec by a moment (kubeflow/trainer#3666: Suspended after a resume)
          ''                  | {conditions: [SUSPENDED]}                                            | Pending             | Pending
          suspend: true       | {conditions: [SUSPENDED]}                                            |                     | Suspended
          # Its pods are on their way out (kueue#11931: suspended read as running)
          suspend: true       | ''                                                                   | Running             | Suspended
          suspend: true       | {conditions: [RESUMED]}                                              | Running             | Suspended
          suspend: true       | {conditions: [SUSPENDED, COMPLETE]}                                  |                     | Complete
          """)
  void seesHowFarATrainJobIs(String spec, String status, String phases, String state) {
    Training training =
        reader.read(job(spec, status), null, Samples.parts(nodes(phases == null ? "" : phases)));

    assertThat(training.state().label()).isEqualTo(state);
  }

  @ParameterizedTest(name = "{0} of {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                          | {numNodes: 4} | 4
          'trainer: {numNodes: 2}'    | {numNodes: 4} | 2
          'trainer: {numNodes: 0}'    | {numNodes: 4} | 4
          'trainer: {image: x}'       | {torch: {}}   | 1
          """)
  void countsNodesAsItsRuntimeDoesUnlessItSaysANumber(String spec, String policy, int nodes) {
    TrainerRuntime runtime = Samples.usable(Samples.runtime(policy, ""));

    assertThat(reader.read(Samples.job(spec, ""), runtime, List.of()).numNodes()).isEqualTo(nodes);
  }

  @Test
  void deviceIsThatOfItsFirstNodeOrWhatItOrItsRuntimeAsksFor() {
    TrainerRuntime runtime =
        Samples.usable(
            Samples.runtime("{numNodes: 2}", "resources: {limits: {nvidia.com/gpu: 4}}"));
    TrainJob asking =
        Samples.job("trainer: {resourcesPerNode: {limits: {huawei.com/Ascend910: 8}}}", "");
    Pod pod =
        Samples.pod("p", "node", 0, "resources: {limits: {amd.com/gpu: 1}}", "{phase: Running}");

    assertThat(reader.read(asking, runtime, Samples.parts(pod)).device())
        .isEqualTo(new Device("gpu", "1"));
    assertThat(reader.read(asking, runtime, List.of()).device()).isEqualTo(new Device("npu", "8"));
    assertThat(reader.read(Samples.job("", ""), runtime, List.of()).device())
        .isEqualTo(new Device("gpu", "4"));
    assertThat(reader.read(Samples.job("", ""), null, List.of()).device()).isEqualTo(Device.NONE);
  }

  @ParameterizedTest(name = "{3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''            | {conditions: [FAILED]}  | {phase: Failed, containerStatuses: [{name: node, state: {terminated: {exitCode: 3}}}]} | JobsFailed: 1 failed; node-0: container node exited with 3
          ''            | ''                      | {phase: Pending, containerStatuses: [{name: node, state: {waiting: {reason: ErrImagePull}}}]} | node-0: ErrImagePull
          suspend: true | ''                      | {phase: Running} | suspended by its spec
          ''            | ''                      | {phase: Running} | ''
          ''            | {conditions: [COMPLETE]} | {phase: Succeeded} | ''
          """)
  void saysWhy(String spec, String status, String pod, String reason) {
    assertThat(
            reader
                .read(job(spec, status), null, Samples.parts(Samples.pod("p", "node", 0, "", pod)))
                .reason())
        .isEqualTo(reason);
  }

  @Test
  void saysInWhoseQueueItWaits() {
    TrainJob job = Samples.job("suspend: true", "");
    job.getMetadata().setLabels(Map.of("kueue.x-k8s.io/queue-name", "team-a"));

    assertThat(reader.read(job, null, List.of()).reason())
        .isEqualTo("waits in Kueue's queue team-a");
  }

  @Test
  void saysWhatIsFetchedFirst() {
    Pod initializer = Samples.pod("d", "dataset-initializer", 0, "", "{phase: Running}");

    Training training = reader.read(Samples.job("", ""), null, Samples.parts(initializer));
    assertThat(training.state()).isEqualTo(TrainingState.PENDING);
    assertThat(training.reason()).isEqualTo("dataset-initializer runs");
  }

  private static TrainJob job(String spec, String status) {
    String spelled = spec.startsWith("numNodes") ? "trainer: {" + spec + "}" : spec;
    return Samples.job(
        spelled,
        status
            .replace("COMPLETE", condition("Complete", "True", "JobsCompleted", "done"))
            .replace("FAILED", condition("Failed", "True", "JobsFailed", "1 failed"))
            .replace("SUSPENDED", condition("Suspended", "True", "Suspended", "it is"))
            .replace("RESUMED", condition("Suspended", "False", "Resumed", "it is")));
  }

  private static String condition(String type, String status, String reason, String message) {
    return "{type: "
        + type
        + ", status: '"
        + status
        + "', reason: "
        + reason
        + ", message: "
        + message
        + ", lastTransitionTime: '2026-11-30T10:00:00Z'}";
  }

  private static Pod[] nodes(String phases) {
    List<String> all = Stream.of(phases.split(" ")).filter(it -> !it.isEmpty()).toList();
    return IntStream.range(0, all.size())
        .mapToObj(i -> Samples.pod("p" + i, "node", i, "", "{phase: " + all.get(i) + "}"))
        .toArray(Pod[]::new);
  }
}
