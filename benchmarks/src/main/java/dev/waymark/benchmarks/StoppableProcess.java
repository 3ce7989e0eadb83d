package dev.waymark.benchmarks;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * A command that runs in turns with others, each stopped by a signal while another has its turn. A
 * machine that is slower in one second than in the next is so for all of them, which whole runs one
 * after another can't offer. Wants {@code setsid} and bash. For one thread.
 */
final class StoppableProcess implements AutoCloseable {

  /** So short that the machine hardly changes, so long that caches are warm for most of it. */
  private static final Duration TURN = Duration.ofMillis(250);

  private final List<String> command;
  private final Process process;
  private final Shell shell;
  private final FutureTask<String> output = new FutureTask<>(this::read);

  /** Starts a command, its first turn, and stops it again; the environment is added to ours. */
  StoppableProcess(List<String> command, Map<String, String> environment) {
    this.command = List.copyOf(command);
    try {
      // A group of its own: a signal reaches bash, which tells the times, and what it runs.
      List<String> grouped = new ArrayList<>(List.of("setsid"));
      grouped.addAll(TimedProcess.timed(command));
      ProcessBuilder builder = new ProcessBuilder(grouped).redirectErrorStream(true);
      builder.environment().putAll(environment);
      builder.redirectInput(new File("/dev/null"));
      shell = new Shell();
      process = builder.start();
      Thread reader = new Thread(output, "output");
      reader.setDaemon(true);
      reader.start();
      endTurn();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + command, e);
    }
  }

  /** Lets commands take turns until all have ended. */
  static void takeTurns(List<StoppableProcess> processes) {
    List<StoppableProcess> running = new ArrayList<>(processes);
    while (!running.isEmpty()) {
      running.forEach(StoppableProcess::takeTurn);
      running.removeIf(one -> !one.process.isAlive());
    }
  }

  private void takeTurn() {
    shell.signal("CONT", process.pid());
    endTurn();
  }

  private void endTurn() {
    try {
      if (!process.waitFor(TURN.toNanos(), TimeUnit.NANOSECONDS)) {
        shell.signal("STOP", process.pid());
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while a command had its turn", e);
    }
  }

  /** The ended command as one that ran on its own, but for the wall-clock time, which has stops. */
  TimedProcess ended() {
    try {
      return TimedProcess.of(command, output.get(), process.exitValue());
    } catch (ExecutionException e) {
      throw new IllegalStateException("the output cannot be read", e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while output was read", e);
    }
  }

  /** Ends the command if it hasn't ended. */
  @Override
  public void close() {
    if (process.isAlive()) {
      shell.signal("KILL", process.pid());
    }
    shell.close();
  }

  private String read() throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Sends signals by a builtin: a process for each would take from the turns. */
  private static final class Shell implements AutoCloseable {
    private final Process shell;
    private final Writer commands;
    private final BufferedReader done;

    Shell() throws IOException {
      shell = new ProcessBuilder("bash").redirectErrorStream(true).start();
      commands = shell.outputWriter(StandardCharsets.US_ASCII);
      done = shell.inputReader(StandardCharsets.US_ASCII);
    }

    /** Signals a group; one that has just ended is no error. */
    void signal(String name, long group) {
      try {
        commands.write("kill -" + name + " -- -" + group + " 2> /dev/null; echo\n");
        commands.flush();
        done.readLine();
      } catch (IOException e) {
        throw new UncheckedIOException("bash cannot send a signal", e);
      }
    }

    @Override
    public void close() {
      shell.destroy();
    }
  }
}
