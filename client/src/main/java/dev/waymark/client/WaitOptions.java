package dev.waymark.client;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What to wait for.
 *
 * @param states any of these; one that comes before the TrainJob's own counts as reached, except
 *     {@link TrainingState#SUSPENDED}
 * @param timeout from now, by a clock that nobody sets
 * @param onChange hears of the TrainJob as it is found first, and whenever anything of it or of its
 *     pods has changed; on the caller's thread. What it throws ends the waiting
 */
public record WaitOptions(
    Set<TrainingState> states, Duration timeout, Consumer<Training> onChange) {

  /** As the Kubeflow SDK has it. */
  private static final Duration TIMEOUT = Duration.ofSeconds(600);

  public WaitOptions {
    if (states.isEmpty()) {
      throw new IllegalArgumentException("no state to wait for");
    }
    states = Set.copyOf(states);
  }

  /** Until it has ended well, ten minutes at most. */
  public static WaitOptions untilComplete() {
    return new WaitOptions(EnumSet.of(TrainingState.COMPLETE), TIMEOUT, training -> {});
  }

  /** Until it is in one of these states, ten minutes at most. */
  public static WaitOptions until(TrainingState first, TrainingState... others) {
    return new WaitOptions(EnumSet.of(first, others), TIMEOUT, training -> {});
  }

  public WaitOptions atMost(Duration timeout) {
    return new WaitOptions(states, timeout, onChange);
  }

  public WaitOptions onChange(Consumer<Training> onChange) {
    return new WaitOptions(states, timeout, onChange);
  }
}
