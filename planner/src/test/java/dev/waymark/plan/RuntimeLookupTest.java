package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.trainer.api.ClusterTrainingRuntime;
import dev.waymark.trainer.api.RuntimeRef;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobSpec;
import dev.waymark.trainer.api.TrainerResource;
import dev.waymark.trainer.api.TrainingRuntime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuntimeLookupTest {

  private static final RuntimeResource CLUSTER = named(new ClusterTrainingRuntime(), null, "rt");
  private static final RuntimeResource ANYWHERE = named(new TrainingRuntime(), null, "rt");
  private static final RuntimeResource TEAM_A = named(new TrainingRuntime(), "team-a", "ours");

  @Test
  void findsByKindNameAndNamespace() {
    List<RuntimeResource> all = List.of(ANYWHERE, CLUSTER, TEAM_A);

    assertThat(RuntimeLookup.find(job("x", "rt", null, null), all)).isSameAs(CLUSTER);
    assertThat(RuntimeLookup.find(job("x", "rt", "TrainingRuntime", null), all)).isSameAs(ANYWHERE);
    assertThat(RuntimeLookup.find(job("team-a", "ours", "TrainingRuntime", null), all))
        .isSameAs(TEAM_A);
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "team-b | ours | TrainingRuntime | -          | TrainingRuntime ours is not there; there is ClusterTrainingRuntime rt, TrainingRuntime ours in namespace team-a",
        "-      | ours | TrainingRuntime | -          | TrainingRuntime ours is not there; there is ClusterTrainingRuntime rt, TrainingRuntime ours in namespace team-a",
        "-      | none | -               | -          | ClusterTrainingRuntime none is not there; there is ClusterTrainingRuntime rt, TrainingRuntime ours in namespace team-a",
        "-      | rt   | Runtime         | -          | unsupported runtime: Runtime.trainer.kubeflow.org, the kind must be one of ClusterTrainingRuntime, TrainingRuntime of trainer.kubeflow.org",
        "-      | rt   | TrainingRuntime | kubeflow.org | unsupported runtime: TrainingRuntime.kubeflow.org, the kind must be one of ClusterTrainingRuntime, TrainingRuntime of trainer.kubeflow.org",
      })
  void saysWhatIsThere(String namespace, String name, String kind, String group, String expected) {
    assertThatThrownBy(
            () -> RuntimeLookup.find(job(namespace, name, kind, group), List.of(CLUSTER, TEAM_A)))
        .isInstanceOf(PlanRefusedException.class)
        .hasMessage("TrainJob demo: spec.runtimeRef: " + expected);
  }

  @Test
  void refusesNoneTwoAndUnnamed() {
    assertThatThrownBy(() -> RuntimeLookup.find(job(null, "rt", null, null), List.of()))
        .hasMessageEndingWith("ClusterTrainingRuntime rt is not there; no runtime is");
    assertThatThrownBy(
            () -> RuntimeLookup.find(job(null, "rt", null, null), List.of(CLUSTER, CLUSTER)))
        .hasMessageEndingWith("ClusterTrainingRuntime rt is there 2 times: keep one");
    assertThatThrownBy(() -> RuntimeLookup.find(named(new TrainJob(), null, "demo"), List.of()))
        .hasMessageEndingWith("is missing: name the runtime that the TrainJob uses");
  }

  private static TrainJob job(String namespace, String runtime, String kind, String group) {
    TrainJob job = named(new TrainJob(), namespace, "demo");
    job.setSpec(
        new TrainJobSpec(
            new RuntimeRef(runtime, group, kind, null), null, null, null, null, null, null, null));
    return job;
  }

  private static <T extends TrainerResource<?, ?>> T named(
      T resource, String namespace, String name) {
    resource.getMetadata().setNamespace(namespace);
    resource.getMetadata().setName(name);
    return resource;
  }
}
