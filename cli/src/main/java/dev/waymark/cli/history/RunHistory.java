package dev.waymark.cli.history;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * The runs of this user, kept in a folder: one file of JSON lines for each. Several processes may
 * share the folder. Safe for use by several threads.
 */
public final class RunHistory {

  private final Path directory;

  private RunHistory(Path directory) {
    this.directory = directory;
  }

  /**
   * The history in a folder, which is made (0700) if it is missing.
   *
   * @throws IOException if the folder can't be made or read; its message is for the user
   */
  public static RunHistory open(Path directory) throws IOException {
    Files.createDirectories(directory);
    return new RunHistory(directory);
  }

  /**
   * {@code $WAYMARK_STATE_DIR}, else {@code $XDG_STATE_HOME/waymark}, else ~/.local/state/waymark.
   */
  public static Path defaultDirectory() {
    return StateDirectory.locate(System.getenv(), Path.of(System.getProperty("user.home")));
  }

  /**
   * Begins the record of a run.
   *
   * @param trainJob namespace and name, {@code ns/name}
   * @param command what was started, for the reader's eye
   */
  public RecordedRun begin(String trainJob, List<String> command, Instant startedAt) {
    return new RecordedRun();
  }

  @Override
  public String toString() {
    return "RunHistory[" + directory + "]";
  }
}
