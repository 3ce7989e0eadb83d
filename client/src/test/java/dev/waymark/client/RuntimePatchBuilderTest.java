package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.trainer.api.RuntimePatch;
import dev.waymark.trainer.api.TrainerJson;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RuntimePatchBuilderTest {

  @Test
  void saysOnlyWhatChanges() {
    RuntimePatch patch =
        new RuntimePatchBuilder()
            .jobSet(Map.of("a", "1"), Map.of())
            .job("node", Map.of(), Map.of("b", "2"))
            .pods("node", Map.of("c", "3"), Map.of())
            .pods("node", Map.of("d", "4"), Map.of())
            .pods(
                "node",
                new PodSpecBuilder()
                    .withServiceAccountName("trainer")
                    .addToNodeSelector("disk", "ssd")
                    .addNewToleration()
                    .withKey("gpu")
                    .withOperator("Exists")
                    .endToleration()
                    .addNewImagePullSecret("registry")
                    .build())
            .build();

    assertThat(TrainerJson.write(patch))
        .isEqualTo(
            "{\"manager\":\"waymark.dev/client\",\"trainingRuntimeSpec\":{\"template\":{"
                + "\"metadata\":{\"labels\":{\"a\":\"1\"}},"
                + "\"spec\":{\"replicatedJobs\":[{\"name\":\"node\",\"template\":{"
                + "\"metadata\":{\"annotations\":{\"b\":\"2\"}},"
                + "\"spec\":{\"template\":{\"metadata\":{\"labels\":{\"c\":\"3\",\"d\":\"4\"}},"
                + "\"spec\":{\"imagePullSecrets\":[{\"name\":\"registry\"}],"
                + "\"nodeSelector\":{\"disk\":\"ssd\"},\"serviceAccountName\":\"trainer\","
                + "\"tolerations\":[{\"key\":\"gpu\",\"operator\":\"Exists\"}]}}}}}]}}}}");
  }

  @Test
  void tellsAllThatIsWrongWithIt() {
    PodSpec pod =
        new PodSpecBuilder()
            .addToContainers(
                new ContainerBuilder()
                    .addNewVolumeMount()
                    .withName("data")
                    .withMountPath("data")
                    .endVolumeMount()
                    .addNewEnv()
                    .withName("A")
                    .withValue("1")
                    .withNewValueFrom()
                    .withNewFieldRef("v1", "metadata.name")
                    .endValueFrom()
                    .endEnv()
                    .build())
            .build();
    RuntimePatchBuilder wrong = new RuntimePatchBuilder("a.example/b").pods("node", pod);
    wrong.pods(" ", new PodSpecBuilder().build());

    assertThatThrownBy(wrong::build)
        .isInstanceOf(TrainerException.Invalid.class)
        .hasMessageContaining("name the container to patch")
        .hasMessageContaining("write an absolute path")
        .hasMessageContaining("has a value and a valueFrom")
        .hasMessageContaining("name the job to patch");
  }
}
