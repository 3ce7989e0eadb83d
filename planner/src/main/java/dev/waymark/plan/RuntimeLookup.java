package dev.waymark.plan;

import dev.waymark.trainer.api.RuntimeRef;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerApi;
import dev.waymark.trainer.api.TrainingRuntime;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds the runtime that a TrainJob names among those at hand. */
public final class RuntimeLookup {

  private static final List<String> KINDS = List.of("ClusterTrainingRuntime", "TrainingRuntime");

  /**
   * The one runtime that {@code spec.runtimeRef} names. A TrainingRuntime must be in the TrainJob's
   * namespace; one that says none counts as being there.
   *
   * @throws PlanRefusedException if there is none, or more than one
   */
  public static RuntimeResource find(TrainJob job, Collection<RuntimeResource> runtimes) {
    RuntimeRef ref = job.getSpec() == null ? null : job.getSpec().runtimeRef();
    if (ref == null) {
      throw refused(job, "is missing: name the runtime that the TrainJob uses");
    }
    unsupported(ref)
        .ifPresent(
            message -> {
              throw refused(job, message);
            });
    List<RuntimeResource> found =
        runtimes.stream().filter(runtime -> isNamedBy(ref, job, runtime)).toList();
    String wanted = ref.effectiveKind() + " " + ref.name();
    if (found.isEmpty()) {
      String others =
          runtimes.stream().map(RuntimeLookup::title).sorted().collect(Collectors.joining(", "));
      throw refused(
          job,
          wanted + " is not there; " + (others.isEmpty() ? "no runtime is" : "there is " + others));
    } else if (found.size() > 1) {
      throw refused(job, wanted + " is there " + found.size() + " times: keep one");
    }
    return found.get(0);
  }

  /** What to say of a TrainJob whose runtime is not there. */
  static Refusal absent(TrainJob job) {
    RuntimeRef ref = job.getSpec().runtimeRef();
    return refusal(
        job,
        unsupported(ref)
            .orElseGet(
                () ->
                    ref.effectiveKind()
                        + " "
                        + ref.name()
                        + " is not there: create it before the TrainJob"));
  }

  private static Optional<String> unsupported(RuntimeRef ref) {
    return isSupported(ref)
        ? Optional.empty()
        : Optional.of(
            "unsupported runtime: "
                + ref.effectiveKind()
                + "."
                + ref.effectiveApiGroup()
                + ", the kind must be one of "
                + String.join(", ", KINDS)
                + " of "
                + TrainerApi.GROUP);
  }

  /** Whether this API has runtimes of the kind that is named. */
  public static boolean isSupported(RuntimeRef ref) {
    return KINDS.contains(ref.effectiveKind()) && TrainerApi.GROUP.equals(ref.effectiveApiGroup());
  }

  private static String title(RuntimeResource runtime) {
    String namespace = runtime.getMetadata().getNamespace();
    return runtime.title() + (namespace == null ? "" : " in namespace " + namespace);
  }

  static boolean isNamedBy(RuntimeRef ref, TrainJob job, RuntimeResource runtime) {
    return ref.effectiveKind().equals(runtime.getKind())
        && Objects.equals(ref.name(), runtime.name())
        && (!(runtime instanceof TrainingRuntime) || sharesNamespace(job, runtime));
  }

  private static boolean sharesNamespace(TrainJob job, RuntimeResource runtime) {
    String of = runtime.getMetadata().getNamespace();
    return of == null || of.equals(job.getMetadata().getNamespace());
  }

  private static PlanRefusedException refused(TrainJob job, String message) {
    return new PlanRefusedException(List.of(refusal(job, message)));
  }

  private static Refusal refusal(TrainJob job, String message) {
    return new Refusal(job.title(), Refusal.Kind.FORBIDDEN, "spec.runtimeRef", message);
  }

  private RuntimeLookup() {}
}
