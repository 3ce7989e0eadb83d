package dev.waymark.cli.history;

import dev.waymark.trainer.api.TrainerStatus;
import java.time.Instant;
import java.util.List;

/** A line of a recording's file. */
sealed interface Entry {

  /**
   * The first line: what was started.
   *
   * @param trainJob namespace and name, {@code ns/name}
   * @param recorder the process that writes this file
   */
  record Started(String trainJob, List<String> command, Instant startedAt, Recorder recorder)
      implements Entry {

    public Started {
      command = List.copyOf(command);
    }
  }

  /** A report that the endpoint accepted. */
  record Reported(Instant receivedAt, TrainerStatus status) implements Entry {}

  /** The last line: the command's process has ended. */
  record Ended(Instant endedAt, int exitCode) implements Entry {}
}
