package dev.waymark.cli.history;

import dev.waymark.cli.history.Entry.Reported;
import dev.waymark.cli.history.Entry.Started;
import java.time.Instant;
import java.util.List;

/**
 * A run in one row: what it is and where it stands. Names and values are as they were reported, so
 * whoever shows them takes care of control characters.
 *
 * @param trainJob namespace and name, {@code ns/name}
 * @param startedAt start of the process; of a later run in the same process, its first report
 * @param updatedAt when the last report came; null before the first
 * @param endedAt null while the run goes on, and when the end is not known
 * @param exitCode of the process, on its last run only; null while it runs
 * @param percent 0 to 100, or null when not reported
 * @param remainingSeconds as of {@code updatedAt}; null when not reported, or no longer active
 * @param step null when not reported, like the three that follow
 * @param loss the last one, finite, or null
 */
public record RunSummary(
    RunId id,
    String trainJob,
    List<String> command,
    Instant startedAt,
    Instant updatedAt,
    Instant endedAt,
    Integer exitCode,
    RunState state,
    Integer percent,
    Integer remainingSeconds,
    Long step,
    Long totalSteps,
    Long epoch,
    Long totalEpochs,
    Double loss) {

  /** A run that has not reported. */
  static RunSummary of(RunId id, Started started, Fate fate) {
    return new RunSummary(
        id,
        started.trainJob(),
        started.command(),
        started.startedAt(),
        null,
        fate.exitedAt(),
        fate.exitCode(),
        RunState.of(false, null, null, fate),
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  /** A run that has reported at least once. */
  static RunSummary of(RunId id, Started started, Instant startedAt, Reported last, Fate fate) {
    MetricValues values = MetricValues.of(last.status());
    Integer percent = last.status().progressPercentage();
    RunState state = RunState.of(true, values.word("state"), percent, fate);
    return new RunSummary(
        id,
        started.trainJob(),
        started.command(),
        startedAt,
        last.receivedAt(),
        endedAt(state, values.word("state"), last, fate),
        fate.exitCode(),
        state,
        percent,
        state.isActive() ? last.status().estimatedRemainingSeconds() : null,
        values.count("current_step"),
        values.count("total_steps"),
        values.count("current_epoch"),
        values.count("total_epochs"),
        values.number("loss"));
  }

  /** A run that said its last word ended then; one that was cut off ended with its process. */
  private static Instant endedAt(RunState state, String word, Reported last, Fate fate) {
    if (state.isActive()) {
      return null;
    }
    boolean cutOff = fate.exitedAt() != null && !RunState.isLastWord(word);
    return cutOff ? fate.exitedAt() : last.receivedAt();
  }
}
