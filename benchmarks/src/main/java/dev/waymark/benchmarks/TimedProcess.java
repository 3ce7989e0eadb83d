package dev.waymark.benchmarks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One run of a command as a whole process, timed by bash.
 *
 * @param command and its arguments
 * @param seconds wall-clock time
 * @param cpuSeconds user and system time of the process and its children
 * @param exitCode of the command
 * @param output what it printed on both streams
 */
record TimedProcess(
    List<String> command, double seconds, double cpuSeconds, int exitCode, String output) {

  private static final Pattern TIMES = Pattern.compile("(?m)^TIMES (\\S+) (\\S+) (\\S+)$");

  /** A command that begins with this JVM's java and these options; more may be added. */
  static List<String> java(String... options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    return command;
  }

  /** Runs a command to its end; the environment is added to this process's. */
  static TimedProcess run(List<String> command, Map<String, String> environment) {
    try {
      Path output = Files.createTempFile("timed", ".out");
      try {
        ProcessBuilder builder = new ProcessBuilder(timed(command));
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true).redirectOutput(output.toFile());
        builder.redirectInput(new File("/dev/null"));
        int exitCode = builder.start().waitFor();
        return of(command, Files.readString(output), exitCode);
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot run " + command, e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while " + command + " ran", e);
    }
  }

  /** The command as one that bash times. */
  private static List<String> timed(List<String> command) {
    List<String> timed =
        new ArrayList<>(List.of("bash", "-c", "TIMEFORMAT='TIMES %3R %3U %3S'; time \"$@\"", "_"));
    timed.addAll(command);
    return timed;
  }

  private static TimedProcess of(List<String> command, String output, int exitCode) {
    Matcher times = TIMES.matcher(output);
    if (!times.find()) {
      throw new IllegalStateException(
          "bash told no times of " + String.join(" ", command) + ":\n" + output);
    }
    return new TimedProcess(
        List.copyOf(command),
        Double.parseDouble(times.group(1)),
        Double.parseDouble(times.group(2)) + Double.parseDouble(times.group(3)),
        exitCode,
        output.substring(0, times.start()));
  }

  /**
   * This run, if its exit code is 0.
   *
   * @throws IllegalStateException that names the command, if it is another
   */
  TimedProcess succeeded() {
    if (exitCode != 0) {
      throw failure("ended with " + exitCode);
    }
    return this;
  }

  /** What to throw where this run is no measurement: names the command and what it said. */
  IllegalStateException failure(String why) {
    return new IllegalStateException(String.join(" ", command) + " " + why + ":\n" + output);
  }
}
