package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodTroubleTest {

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {phase: Running}                                                     | ''
          {phase: Pending, containerStatuses: [{name: node, state: {waiting: {reason: ContainerCreating}}}]} | ''
          # What people wait for in silence with the SDK (kubeflow/sdk#696)
          {phase: Pending, containerStatuses: [{name: node, state: {waiting: {reason: ImagePullBackOff, message: no such image}}}]} | ImagePullBackOff: no such image
          {phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: '0/3 nodes are available'}]} | Unschedulable: 0/3 nodes are available
          {phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: SchedulingGated}]} | SchedulingGated
          {phase: Running, containerStatuses: [{name: node, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 137, reason: OOMKilled}}}]} | CrashLoopBackOff, container node exited with 137 (OOMKilled)
          {phase: Failed, containerStatuses: [{name: node, state: {terminated: {exitCode: 1, reason: Error, message: boom}}}]} | container node exited with 1: boom
          {phase: Succeeded, containerStatuses: [{name: node, state: {terminated: {exitCode: 0, reason: Completed}}}]} | ''
          {phase: Failed, reason: Evicted, message: low on memory}             | Evicted: low on memory
          {phase: Pending, initContainerStatuses: [{name: agent, state: {waiting: {reason: ErrImagePull}}}], containerStatuses: [{name: node, state: {waiting: {reason: PodInitializing}}}]} | ErrImagePull
          """)
  void saysWhyAPodDoesNotRun(String status, String trouble) {
    assertThat(PodTrouble.of(Samples.pod("p", "node", 0, "", status))).isEqualTo(trouble);
  }
}
