package dev.waymark.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/** A command that could not be started, with the exit code that a shell gives for the reason. */
final class CannotStartException extends Exception {

  static final int NOT_EXECUTABLE = 126;
  static final int NOT_FOUND = 127;

  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private CannotStartException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  private CannotStartException(String message, IOException cause) {
    super(message + ": " + cause.getMessage(), cause);
    this.exitCode = NOT_EXECUTABLE;
  }

  /**
   * Finds the reason, which Java's own message hides.
   *
   * @param searchPath the value of PATH, or null
   */
  static CannotStartException because(Node node, String searchPath, IOException failure) {
    String program = node.command().get(0);
    if (!Files.isDirectory(node.directory())) {
      return new CannotStartException(
          NOT_EXECUTABLE, "The directory to start in does not exist: " + node.directory());
    }
    boolean isPath = program.contains("/");
    Stream<Path> candidates =
        isPath
            ? Stream.of(node.directory().resolve(program))
            : Arrays.stream((searchPath == null ? "" : searchPath).split(":"))
                .map(folder -> Path.of(folder).resolve(program));
    Path file = candidates.filter(Files::exists).findFirst().orElse(null);
    if (file == null) {
      String where = isPath ? "" : " (searched in PATH)";
      return new CannotStartException(NOT_FOUND, "Command not found: " + program + where);
    }
    if (Files.isDirectory(file)) {
      return new CannotStartException(NOT_EXECUTABLE, "Not a program but a directory: " + file);
    }
    if (!Files.isExecutable(file)) {
      return new CannotStartException(
          NOT_EXECUTABLE, "Not executable: " + file + " (chmod +x would make it so)");
    }
    return new CannotStartException("Can't execute " + file, failure);
  }

  /** Whether the reason lies in the command; if not, Java's message is all that is known. */
  boolean isExplained() {
    return getCause() == null;
  }

  int exitCode() {
    return exitCode;
  }
}
