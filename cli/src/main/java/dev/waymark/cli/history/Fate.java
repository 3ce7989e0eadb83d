package dev.waymark.cli.history;

import java.time.Instant;

/**
 * What became of a run's process, as far as it matters to this run.
 *
 * @param exitCode only where the process has exited, else null
 * @param exitedAt likewise
 */
record Fate(Kind kind, Integer exitCode, Instant exitedAt) {

  enum Kind {
    ALIVE,
    NEXT_RUN_BEGAN,
    RECORDER_GONE,
    EXITED
  }

  static final Fate ALIVE = new Fate(Kind.ALIVE, null, null);
  static final Fate NEXT_RUN_BEGAN = new Fate(Kind.NEXT_RUN_BEGAN, null, null);
  static final Fate RECORDER_GONE = new Fate(Kind.RECORDER_GONE, null, null);

  static Fate exited(int exitCode, Instant at) {
    return new Fate(Kind.EXITED, exitCode, at);
  }
}
