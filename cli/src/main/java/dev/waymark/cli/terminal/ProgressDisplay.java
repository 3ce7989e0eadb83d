package dev.waymark.cli.terminal;

import dev.waymark.trainer.api.TrainerStatus;

/** Shows the newest status to the person at the terminal. Safe for use by several threads. */
public interface ProgressDisplay extends AutoCloseable {

  /** Shows a status; a display may leave some out to keep a readable pace. */
  void show(TrainerStatus status);

  /** Takes away what is only there while the program runs. */
  @Override
  void close();
}
