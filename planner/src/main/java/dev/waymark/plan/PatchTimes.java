package dev.waymark.plan;

import dev.waymark.trainer.api.RuntimePatch;
import dev.waymark.trainer.api.TrainJob;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** When each patch of a TrainJob last changed, which the mutating admission webhook writes. */
public final class PatchTimes {

  /**
   * The patches with their times: that of the old TrainJob for a patch that didn't change, now for
   * one that did or never had a time, and for a new one what it says itself, or now.
   *
   * @param old the stored TrainJob, or null for a new one
   * @return empty if the TrainJob has no patches
   */
  public static List<RuntimePatch> stamp(TrainJob old, TrainJob job, Instant now) {
    List<RuntimePatch> before = patches(old);
    String present = now.truncatedTo(ChronoUnit.SECONDS).toString();
    return patches(job).stream()
        .map(patch -> withTime(patch, time(patch, before, present)))
        .toList();
  }

  private static String time(RuntimePatch patch, List<RuntimePatch> before, String present) {
    return before.stream()
        .filter(it -> Objects.equals(it.manager(), patch.manager()))
        .findFirst()
        .map(it -> isSame(it, patch) && it.time() != null ? it.time() : present)
        .orElseGet(() -> Objects.requireNonNullElse(patch.time(), present));
  }

  static RuntimePatch withTime(RuntimePatch patch, String time) {
    return new RuntimePatch(
        patch.manager(), time, patch.trainingRuntimeSpec(), patch.additionalProperties());
  }

  private static boolean isSame(RuntimePatch one, RuntimePatch other) {
    return withTime(one, null).equals(withTime(other, null));
  }

  private static List<RuntimePatch> patches(TrainJob job) {
    return Optional.ofNullable(job)
        .map(TrainJob::getSpec)
        .map(spec -> spec.runtimePatches())
        .orElse(List.of());
  }

  private PatchTimes() {}
}
