package dev.waymark.trainer.api;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.ArrayList;
import java.util.List;

/** One training: which runtime it uses, what it changes there, and what became of it. */
@Group(TrainerApi.GROUP)
@Version(TrainerApi.VERSION)
public final class TrainJob extends TrainerResource<TrainJobSpec, TrainJobStatus>
    implements Namespaced {

  private static final long serialVersionUID = 1L;

  public TrainJob() {
    super(TrainJobSpec.class, TrainJobStatus.class);
  }

  /** Whether it asks for no pods now. */
  @JsonIgnore
  public boolean isSuspended() {
    return getSpec() != null && Boolean.TRUE.equals(getSpec().suspend());
  }

  /**
   * What of its patches has another type than what it patches: they stay JSON, so reading takes
   * any. Empty for those that are sound.
   */
  public List<FieldProblem> patchProblems() {
    List<RuntimePatch> patches = getSpec() == null ? null : getSpec().runtimePatches();
    List<FieldProblem> problems = new ArrayList<>();
    for (int i = 0; patches != null && i < patches.size(); i++) {
      if (patches.get(i) != null) {
        patches.get(i).typed("spec.runtimePatches[" + i + "]", problems::add);
      }
    }
    return problems;
  }

  /** Whether an object belongs to this very TrainJob, and not to an earlier one of its name. */
  public boolean owns(HasMetadata object) {
    String uid = getMetadata().getUid();
    return uid != null
        && Owners.controller(object).filter(owner -> uid.equals(owner.getUid())).isPresent();
  }
}
