package dev.waymark.client;

import java.util.Set;

/** What a state means to somebody who waits for others. */
enum WaitDecision {
  /** It is what he waits for. */
  REACHED,
  /** It may still come. */
  GO_ON,
  /** It can't come any more. */
  HOPELESS;

  static WaitDecision of(TrainingState state, Set<TrainingState> wanted) {
    if (wanted.contains(state)) {
      return REACHED;
    } else if (state == TrainingState.FAILED) {
      return HOPELESS;
    }
    // Who is suspended has not come as far as the state's place says.
    boolean isPast =
        state != TrainingState.SUSPENDED
            && wanted.stream()
                .anyMatch(it -> it != TrainingState.SUSPENDED && it.compareTo(state) < 0);
    if (isPast) {
      return REACHED;
    }
    return state.isFinal() ? HOPELESS : GO_ON;
  }
}
