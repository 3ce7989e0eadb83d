package dev.waymark.client;

import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.List;

/**
 * Has Jackson read of pods what this client looks at: containers with their variables and devices,
 * and how they are. What a pod may say besides has a model of some two hundred classes, and Jackson
 * learns each of them before it reads the first pod (2.20): more than a short command does
 * otherwise. Nor need anything of it stay in memory.
 */
final class PodModule extends SimpleModule {

  private static final long serialVersionUID = 1L;

  PodModule() {
    setMixInAnnotation(Pod.class, Parts.class);
  }

  /** What stands in for the types of a pod's fields. */
  private abstract static class Parts {

    @JsonDeserialize(as = Spec.class)
    abstract void setSpec(PodSpec spec);

    @JsonDeserialize(as = Status.class)
    abstract void setStatus(PodStatus status);
  }

  @JsonIncludeProperties("containers")
  static final class Spec extends PodSpec {

    private static final long serialVersionUID = 1L;

    @Override
    @JsonDeserialize(contentAs = ContainerSpec.class)
    public void setContainers(List<Container> containers) {
      super.setContainers(containers);
    }
  }

  @JsonIncludeProperties({"name", "env", "resources"})
  static final class ContainerSpec extends Container {

    private static final long serialVersionUID = 1L;

    @Override
    @JsonDeserialize(contentAs = Variable.class)
    public void setEnv(List<EnvVar> env) {
      super.setEnv(env);
    }
  }

  @JsonIncludeProperties({"name", "value"})
  static final class Variable extends EnvVar {

    private static final long serialVersionUID = 1L;
  }

  @JsonIncludeProperties({
    "phase",
    "reason",
    "message",
    "conditions",
    "initContainerStatuses",
    "containerStatuses"
  })
  static final class Status extends PodStatus {

    private static final long serialVersionUID = 1L;

    @Override
    @JsonDeserialize(contentAs = StatusOfContainer.class)
    public void setInitContainerStatuses(List<ContainerStatus> statuses) {
      super.setInitContainerStatuses(statuses);
    }

    @Override
    @JsonDeserialize(contentAs = StatusOfContainer.class)
    public void setContainerStatuses(List<ContainerStatus> statuses) {
      super.setContainerStatuses(statuses);
    }
  }

  @JsonIncludeProperties({"name", "state", "lastState"})
  static final class StatusOfContainer extends ContainerStatus {

    private static final long serialVersionUID = 1L;
  }
}
