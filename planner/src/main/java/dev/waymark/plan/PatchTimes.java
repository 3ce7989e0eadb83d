package dev.waymark.plan;

import dev.waymark.trainer.api.FieldProblem;
import dev.waymark.trainer.api.RuntimePatch;
import dev.waymark.trainer.api.TrainJob;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/** When each patch of a TrainJob last changed, which the mutating admission webhook writes. */
public final class PatchTimes {

  /** RFC 3339; Java's own format has no need of seconds. */
  private static final Pattern TIME =
      Pattern.compile(
          "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?"
              + "(Z|[+-][0-9]{2}:[0-9]{2})");

  /**
   * The patches with their times: that of the old TrainJob for a patch that didn't change, now for
   * one that did or never had a time, and for a new one what it says itself, or now.
   *
   * @param old the stored TrainJob, or null for a new one
   * @return empty if the TrainJob has no patches; null in the place of one that is null
   */
  public static List<RuntimePatch> stamp(TrainJob old, TrainJob job, Instant now) {
    List<RuntimePatch> before = patches(old);
    String present = now.truncatedTo(ChronoUnit.SECONDS).toString();
    return patches(job).stream()
        .map(patch -> patch == null ? null : withTime(patch, time(patch, before, present)))
        .toList();
  }

  /**
   * Which patches say a time that upstream's Go types don't read; the schema takes a few more.
   *
   * @return empty where there are none
   */
  public static List<FieldProblem> problems(TrainJob job) {
    List<RuntimePatch> patches = patches(job);
    List<FieldProblem> problems = new ArrayList<>();
    for (int i = 0; i < patches.size(); i++) {
      String time = patches.get(i) == null ? null : patches.get(i).time();
      if (time != null && !isTime(time)) {
        problems.add(
            new FieldProblem(
                "spec.runtimePatches[" + i + "].time",
                "is the text \"" + time + "\", expected a time such as 2026-01-02T03:04:05Z"));
      }
    }
    return problems;
  }

  private static boolean isTime(String text) {
    try {
      return TIME.matcher(text).matches() && OffsetDateTime.parse(text) != null;
    } catch (DateTimeParseException e) {
      return false;
    }
  }

  private static String time(RuntimePatch patch, List<RuntimePatch> before, String present) {
    return before.stream()
        .filter(Objects::nonNull)
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
