package dev.waymark.cli.run;

import dev.waymark.cli.process.ProcessTable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The process of one node and all that it starts below itself.
 *
 * <p>A signal goes to all of them: a shell that runs the program would end and leave the program
 * behind.
 */
final class NodeProcess {

  /** Output that a pipe still holds is read in no time; a daemon that keeps it open never ends. */
  private static final long DRAIN_MILLIS = 2_000;

  private static final long POLL_MILLIS = 20;

  private final Process process;
  private final List<Thread> pumps = new ArrayList<>();
  private final Set<ProcessHandle> known = new LinkedHashSet<>();

  private NodeProcess(Process process) {
    this.process = process;
  }

  /**
   * Starts a node.
   *
   * @param readsInput whether it reads this process's input; otherwise it has none, as in a pod
   */
  static NodeProcess start(Node node, ProgramOutput output, boolean readsInput)
      throws CannotStartException {
    OutputStream out = output.out(node);
    OutputStream err = output.err(node);
    ProcessBuilder builder =
        new ProcessBuilder(node.command())
            .directory(node.directory().toFile())
            .redirectInput(readsInput ? Redirect.INHERIT : Redirect.from(new File("/dev/null")))
            .redirectOutput(out == null ? Redirect.INHERIT : Redirect.PIPE)
            .redirectError(err == null ? Redirect.INHERIT : Redirect.PIPE);
    builder.environment().clear();
    builder.environment().putAll(node.environment());
    NodeProcess started;
    try {
      started = new NodeProcess(builder.start());
    } catch (IOException e) {
      throw CannotStartException.because(node, System.getenv("PATH"), e);
    }
    started.pump(started.process.getInputStream(), out, node.name() + " output");
    started.pump(started.process.getErrorStream(), err, node.name() + " errors");
    return started;
  }

  /** Completes with the exit code, 128 and the signal's number if a signal ended the process. */
  CompletableFuture<Integer> ended() {
    return process.onExit().thenApply(Process::exitValue);
  }

  /** Remembers who belongs to it now: a parent that ends first leaves the others to be found. */
  synchronized void noteTree() {
    tree();
  }

  /** SIGTERM to the process and all below it. */
  synchronized void terminate() {
    tree().forEach(ProcessHandle::destroy);
  }

  /** SIGKILL to the process and all below it, and to those that were left by a parent's end. */
  synchronized void kill() {
    tree().forEach(ProcessHandle::destroyForcibly);
  }

  /**
   * Waits until it and all that are known below it have ended, and the output has been passed on.
   *
   * @return the exit code, as {@link #ended} tells it
   */
  int await() throws InterruptedException {
    int exitCode = process.waitFor();
    List<ProcessHandle> rest;
    synchronized (this) {
      rest = List.copyOf(known);
    }
    for (ProcessHandle left : rest) {
      while (ProcessTable.isRunning(left)) {
        Thread.sleep(POLL_MILLIS);
      }
    }
    for (Thread pump : pumps) {
      pump.join(DRAIN_MILLIS);
    }
    return exitCode;
  }

  private Set<ProcessHandle> tree() {
    process.descendants().forEach(known::add);
    known.add(process.toHandle());
    return known;
  }

  private void pump(InputStream from, OutputStream to, String name) {
    if (to == null) {
      return;
    }
    Thread pump = new Thread(() -> pass(from, to), name);
    pump.setDaemon(true);
    pump.start();
    pumps.add(pump);
  }

  private static void pass(InputStream from, OutputStream to) {
    try (from;
        to) {
      from.transferTo(to);
    } catch (IOException readerIsGone) {
      // Our own output was closed. The pipe is closed as well, so the program gets its SIGPIPE.
    }
  }
}
