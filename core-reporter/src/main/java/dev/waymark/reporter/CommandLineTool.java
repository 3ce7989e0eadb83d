package dev.waymark.reporter;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program that prints a little and ends, run on the caller's thread within a time limit.
 *
 * <p>Its output is read after its end: until then the pipe holds it (64 KiB on Linux; nvidia-smi
 * and npu-smi print some KiB on the largest machines). So no thread is needed to empty the pipe
 * while the caller watches the clock. A program that prints more, or hangs, is destroyed.
 */
final class CommandLineTool {
  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final int MAX_OUTPUT_BYTES = 64 * 1024;

  private final Path executable;
  private final Duration limit;

  CommandLineTool(Path executable, Duration limit) {
    this.executable = executable;
    this.limit = limit;
  }

  /**
   * The first executable file of this name, with a limit of two seconds; null if there is none.
   *
   * @param path folders as in the environment variable PATH, relative ones are ignored; null for
   *     none
   */
  static CommandLineTool find(String name, String path) {
    if (path == null) {
      return null;
    }
    for (String folder : path.split(File.pathSeparator, -1)) {
      try {
        Path candidate = Path.of(folder, name);
        if (candidate.isAbsolute()
            && Files.isRegularFile(candidate)
            && Files.isExecutable(candidate)) {
          return new CommandLineTool(candidate, LIMIT);
        }
      } catch (InvalidPathException e) {
        // A folder that can't exist holds no tool.
      }
    }
    return null;
  }

  /**
   * Runs the program.
   *
   * @return what it printed to standard output and error, whatever its exit status: tools print
   *     figures of healthy devices next to errors of a broken one
   * @throws IOException if it can't be started or takes too long, or if the thread is interrupted,
   *     which it then still is
   */
  String run(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(executable.toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C");
    Process process = builder.start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new IOException("no end within " + limit.toMillis() + " ms");
      }
      try (InputStream output = process.getInputStream()) {
        return new String(output.readNBytes(MAX_OUTPUT_BYTES), StandardCharsets.UTF_8);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      destroy(process);
    }
  }

  private static void destroy(Process process) {
    if (process.isAlive()) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
