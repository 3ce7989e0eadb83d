package dev.waymark.cli.history;

import java.util.Locale;
import java.util.Map;

/** Where a run stands. */
public enum RunState {
  /** The program has started and has not reported yet. */
  WAITING,
  RUNNING,
  EVALUATING,
  COMPLETED,
  STOPPED_EARLY,
  FAILED,
  DIVERGED,
  INTERRUPTED,
  /** It is over, and the program gave no last word. */
  ENDED,
  /** Its recorder is gone: how it ended is not known. */
  LOST;

  private static final Map<String, RunState> LAST_WORDS =
      Map.of(
          "completed", COMPLETED,
          "stopped_early", STOPPED_EARLY,
          "failed", FAILED,
          "diverged", DIVERGED,
          "interrupted", INTERRUPTED);

  private static final int EXIT_BY_SIGINT = 128 + 2;
  private static final int EXIT_BY_SIGTERM = 128 + 15;

  /** Whether the run goes on. */
  public boolean isActive() {
    return this == WAITING || this == RUNNING || this == EVALUATING;
  }

  /** As reports and the page spell it: {@code stopped_early}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The state of a run, from what the program said and what became of its process. The program's
   * last word counts; without one, the process's end decides.
   *
   * @param reported whether there was any report
   * @param word the metric {@code state}, or null
   * @param percent the last reported progress, or null
   * @param fate what became of the run's process
   */
  static RunState of(boolean reported, String word, Integer percent, Fate fate) {
    if (isLastWord(word)) {
      return LAST_WORDS.get(word);
    }
    return switch (fate.kind()) {
      case ALIVE -> !reported ? WAITING : "evaluating".equals(word) ? EVALUATING : RUNNING;
      case NEXT_RUN_BEGAN -> ENDED;
      case RECORDER_GONE -> LOST;
      case EXITED -> ofExit(fate.exitCode(), percent);
    };
  }

  /** Whether a program that says this has said how its run ended. */
  static boolean isLastWord(String word) {
    return word != null && LAST_WORDS.containsKey(word);
  }

  private static RunState ofExit(int exitCode, Integer percent) {
    return switch (exitCode) {
      case 0 -> percent != null && percent == 100 ? COMPLETED : ENDED;
      case EXIT_BY_SIGINT, EXIT_BY_SIGTERM -> INTERRUPTED;
      default -> FAILED;
    };
  }
}
