package dev.waymark.cli.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The processes of a run, which end together: when one fails, the others are ended. Safe for use by
 * several threads.
 */
final class NodeGroup {

  private final Duration grace;
  private final Consumer<String> log;

  /** Complete before anyone hears of an end. */
  private final List<NodeProcess> processes = new ArrayList<>();

  private final AtomicReference<Integer> firstFailure = new AtomicReference<>();
  private boolean stopping;

  /**
   * @param grace how long a process may take to end after SIGTERM, before it is killed
   * @param log takes lines for the user
   */
  NodeGroup(Duration grace, Consumer<String> log) {
    this.grace = grace;
    this.log = log;
  }

  /** How long a process may take to end after SIGTERM. */
  Duration grace() {
    return grace;
  }

  /** Starts all nodes or none. */
  void start(List<Node> toStart, ProgramOutput output, boolean readsInput)
      throws CannotStartException {
    startProcesses(toStart, output, readsInput);
    for (int i = 0; i < toStart.size(); i++) {
      Node node = toStart.get(i);
      processes
          .get(i)
          .ended()
          .thenAcceptAsync(exitCode -> ended(node, exitCode), NodeGroup::onOwnThread);
    }
  }

  /** What is told of an end may stand still with the terminal, and holds up nobody there. */
  private static void onOwnThread(Runnable work) {
    Thread thread = new Thread(work, "waymark-node-ended");
    thread.setDaemon(true);
    thread.start();
  }

  private synchronized void startProcesses(
      List<Node> toStart, ProgramOutput output, boolean readsInput) throws CannotStartException {
    for (Node node : toStart) {
      try {
        processes.add(NodeProcess.start(node, output, readsInput));
      } catch (CannotStartException e) {
        processes.forEach(NodeProcess::kill);
        throw e;
      }
    }
    if (stopping) {
      processes.forEach(NodeProcess::terminate);
    }
  }

  /**
   * Waits until all have ended.
   *
   * @return the exit code of the node that failed first, or 0
   */
  int await() throws InterruptedException {
    List<NodeProcess> all;
    synchronized (this) {
      all = List.copyOf(processes);
    }
    List<Integer> exitCodes = new ArrayList<>();
    for (NodeProcess process : all) {
      exitCodes.add(process.await());
    }
    // The callback that notes a failure may come after the end that await() saw.
    for (int exitCode : exitCodes) {
      if (exitCode != 0) {
        firstFailure.compareAndSet(null, exitCode);
      }
    }
    return firstFailure.get() == null ? 0 : firstFailure.get();
  }

  /** Asks all to end; kills those that are still there when the grace is over. */
  synchronized void stop() {
    if (!stopping) {
      stopping = true;
      terminate();
    }
  }

  /** Like {@link #stop}, of those that have not ended by themselves until then. */
  synchronized void stopAfter(Duration patience) {
    if (!stopping) {
      stopping = true;
      processes.forEach(NodeProcess::noteTree);
      after(patience, this::terminate);
    }
  }

  private synchronized void terminate() {
    processes.forEach(NodeProcess::terminate);
    after(grace, this::kill);
  }

  private static void after(Duration time, Runnable work) {
    CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS).execute(work);
  }

  /** Kills all. */
  synchronized void kill() {
    stopping = true;
    processes.forEach(NodeProcess::kill);
  }

  private void ended(Node node, int exitCode) {
    if (exitCode == 0 || !firstFailure.compareAndSet(null, exitCode)) {
      return;
    }
    synchronized (this) {
      if (stopping || processes.size() == 1) {
        return;
      }
      stop();
    }
    // Without the lock: a terminal that stands still must not hold up a signal.
    log.accept(node.name() + " exited with " + exitCode + ": ending the other nodes");
  }
}
