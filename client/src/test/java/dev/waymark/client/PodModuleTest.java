package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.Test;

class PodModuleTest {

  @Test
  void ofAPodIsReadWhatIsLookedAt() {
    Pod pod =
        Samples.yaml(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: p, labels: {a: b}, managedFields: [{manager: kubelet}]}
            spec:
              nodeName: n
              volumes: [{name: v, emptyDir: {}}]
              containers:
                - name: node
                  image: i
                  volumeMounts: [{name: v, mountPath: /v}]
                  env: [{name: A, value: b}, {name: B, valueFrom: {fieldRef: {fieldPath: c}}}]
                  resources: {limits: {cpu: '1'}}
            status:
              phase: Running
              podIP: 10.0.0.1
              conditions: [{type: Ready, status: 'True'}]
              containerStatuses:
                - {name: node, image: i, imageID: d, ready: true, state: {waiting: {reason: R}}}
            """,
            Pod.class);
    Container node = pod.getSpec().getContainers().get(0);
    ContainerStatus status = pod.getStatus().getContainerStatuses().get(0);

    assertThat(pod.getMetadata().getLabels()).containsEntry("a", "b");
    assertThat(node.getName()).isEqualTo("node");
    assertThat(node.getEnv())
        .extracting(it -> it.getName() + "=" + it.getValue())
        .containsExactly("A=b", "B=null");
    assertThat(node.getResources().getLimits()).containsOnlyKeys("cpu");
    assertThat(pod.getStatus().getPhase()).isEqualTo("Running");
    assertThat(pod.getStatus().getConditions()).hasSize(1);
    assertThat(status.getState().getWaiting().getReason()).isEqualTo("R");

    assertThat(pod.getMetadata().getManagedFields()).isEmpty();
    assertThat(pod.getSpec().getVolumes()).isEmpty();
    assertThat(pod.getSpec().getNodeName()).isNull();
    assertThat(pod.getSpec().getAdditionalProperties()).isEmpty();
    assertThat(node.getImage()).isNull();
    assertThat(node.getVolumeMounts()).isEmpty();
    assertThat(node.getEnv().get(1).getValueFrom()).isNull();
    assertThat(pod.getStatus().getPodIP()).isNull();
    assertThat(status.getImageID()).isNull();
  }
}
