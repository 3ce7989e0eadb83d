package dev.waymark.trainer.api;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** The jobs that a TrainJob becomes, run together by the JobSet controller. */
@Group(JobSet.GROUP)
@Version(JobSet.VERSION)
public final class JobSet extends KubernetesObject<JobSetSpec, JobSetStatus> implements Namespaced {

  public static final String GROUP = "jobset.x-k8s.io";
  public static final String VERSION = "v1alpha2";

  private static final long serialVersionUID = 1L;

  public JobSet() {
    super(JobSetSpec.class, JobSetStatus.class);
  }

  /** Whether it is to have no pods now. */
  @JsonIgnore
  public boolean isSuspended() {
    return getSpec() != null && Boolean.TRUE.equals(getSpec().suspend());
  }
}
