package dev.waymark.cli.history;

import dev.waymark.cli.process.ProcessTable;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The process that writes a recording. Its start tells it from a later process with the same
 * number.
 *
 * @param startedAt null where the system doesn't tell
 */
record Recorder(long pid, Instant startedAt) {

  /**
   * Two processes may read the same start a little differently: Linux counts from the boot's time.
   */
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  static Recorder current() {
    ProcessHandle self = ProcessHandle.current();
    return new Recorder(self.pid(), self.info().startInstant().orElse(null));
  }

  /** Whether it still runs on this machine. */
  boolean isAlive() {
    Optional<ProcessHandle> process = ProcessHandle.of(pid).filter(ProcessTable::isRunning);
    if (process.isEmpty()) {
      return false;
    }
    Instant start = process.get().info().startInstant().orElse(null);
    return start == null
        || startedAt == null
        || Duration.between(start, startedAt).abs().compareTo(TOLERANCE) <= 0;
  }
}
