package dev.waymark.client;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The logs of a TrainJob's steps. Waits for a pod that isn't there yet, follows a step over
 * connections that are cut, containers that start again and pods that are made anew, and ends when
 * nothing more can come.
 *
 * <p>Each step has a thread of its own; lines come one at a time.
 */
final class PodLogs {

  /** A program may be silent for longer; then its stream is opened anew. */
  private static final Duration IDLE = Duration.ofSeconds(60);

  /** Between two attempts to read the same log. */
  private static final Duration PACE = Duration.ofSeconds(1);

  /** Of a log that is not followed. */
  private static final int ATTEMPTS = 5;

  private final String name;
  private final Supplier<Changes<Training>> changes;
  private final Supplier<Training> training;
  private final StreamOpener opener;
  private final LogOptions options;
  private final ScheduledExecutorService clock;

  /** Opens the log of a container. */
  interface StreamOpener {
    LogStream open(String pod, String container);
  }

  private PodLogs(
      String name,
      Supplier<Changes<Training>> changes,
      Supplier<Training> training,
      StreamOpener opener,
      LogOptions options,
      ScheduledExecutorService clock) {
    this.name = name;
    this.changes = changes;
    this.training = training;
    this.opener = opener;
    this.options = options;
    this.clock = clock;
  }

  /**
   * Reads until the end.
   *
   * @param lines takes them, never two at once
   * @throws TrainerException.NotFound if there is no such step, and will be none
   * @throws TrainerException.TimedOut if a pod doesn't run in time
   */
  static void read(
      String name,
      Supplier<Changes<Training>> changes,
      Supplier<Training> training,
      StreamOpener opener,
      LogOptions options,
      Consumer<LogLine> lines)
      throws InterruptedException {
    ScheduledExecutorService clock =
        Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "waymark-log-clock"));
    ExecutorService readers = Executors.newCachedThreadPool(task -> daemon(task, "waymark-log"));
    try {
      PodLogs logs = new PodLogs(name, changes, training, opener, options, clock);
      List<String> steps = options.step() == null ? logs.awaitNodes() : List.of(options.step());
      Consumer<LogLine> oneAtATime = oneAtATime(lines);
      ExecutorCompletionService<Void> running = new ExecutorCompletionService<>(readers);
      List<Future<Void>> readings =
          steps.stream()
              .map(step -> running.submit(() -> logs.readStep(step, oneAtATime)))
              .toList();
      // In the order in which they end, so that the first that fails ends all.
      for (int ended = 0; ended < readings.size(); ended++) {
        running.take().get();
      }
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    } finally {
      readers.shutdownNow();
      clock.shutdownNow();
    }
  }

  private static RuntimeException failure(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
  }

  private static Consumer<LogLine> oneAtATime(Consumer<LogLine> lines) {
    Object lock = new Object();
    return line -> {
      synchronized (lock) {
        lines.accept(line);
      }
    };
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  private List<String> awaitNodes() throws InterruptedException {
    return await(
        found -> {
          List<String> nodes = found.steps().stream().filter(Step::isNode).map(Step::name).toList();
          return nodes.isEmpty() || (nodes.size() < found.numNodes() && !found.state().isFinal())
              ? Optional.empty()
              : Optional.of(nodes);
        },
        "its nodes");
  }

  private Void readStep(String step, Consumer<LogLine> lines) throws InterruptedException {
    Step pod = awaitStep(step);
    LogStream stream = opener.open(pod.podName(), pod.container());
    boolean isOver = false;
    for (int attempt = 1; ; attempt++) {
      boolean ended = readOnce(stream, step, lines, attempt, isOver);
      // A stream may have ended before its container did: the last one, which follows nothing any
      // more, is opened after that.
      if (ended && (isOver || !options.follow())) {
        return null;
      }
      TimeUnit.NANOSECONDS.sleep(PACE.toNanos());
      try {
        Training now = training.get();
        Optional<Step> newest = step(now, step);
        if (newest.isEmpty() ? !now.state().isFinal() : !isSamePod(newest.get(), pod)) {
          Optional<Step> next = awaitNext(step);
          if (next.isEmpty()) {
            return null;
          }
          pod = next.get();
          stream = opener.open(pod.podName(), pod.container());
          isOver = false;
        } else {
          isOver = isOver(now, newest);
        }
      } catch (TrainerException e) {
        if (!options.follow() || !e.isTransient()) {
          throw e;
        }
        // The cluster is away, as its streams are: both are asked again.
      }
    }
  }

  private static boolean isSamePod(Step step, Step other) {
    return step.podName().equals(other.podName());
  }

  /**
   * The pod of a step that had one before: it was suspended, evicted or started anew. Empty if none
   * can come any more.
   */
  private Optional<Step> awaitNext(String step) throws InterruptedException {
    try {
      return Optional.of(awaitStep(step));
    } catch (TrainerException.NotFound over) {
      return Optional.empty();
    }
  }

  /** Whether the log was read to its end, as far as it goes by now. */
  private boolean readOnce(
      LogStream stream, String step, Consumer<LogLine> lines, int attempt, boolean isOver)
      throws InterruptedException {
    IdleAlarm alarm = new IdleAlarm(IDLE, clock);
    try (alarm) {
      stream.read(
          isOver ? options.withoutFollowing() : options,
          text -> {
            alarm.heard();
            lines.accept(new LogLine(step, text));
          });
      return true;
    } catch (LogStream.Refused refused) {
      if (refused.isTooEarly() && attempt < attempts()) {
        return false;
      } else if (options.follow() && attempt > 1) {
        return true; // it has gone since
      }
      throw new TrainerException.NotFound(
          "No log of " + step + " of TrainJob " + name + ": " + refused.getMessage(), refused);
    } catch (IOException cut) {
      if (alarm.hasRung()) {
        return false;
      } else if (Thread.interrupted()) {
        throw new InterruptedException();
      } else if (options.follow() || attempt < ATTEMPTS) {
        return false;
      }
      throw new TrainerException.Unreachable(
          "The log of " + step + " of TrainJob " + name + " was cut: " + cut.getMessage(), cut);
    } catch (InterruptedException e) {
      if (alarm.hasRung()) {
        return false;
      }
      throw e;
    }
  }

  /** As many as there is patience for. */
  private long attempts() {
    return Math.max(1, options.patience().toSeconds() / PACE.toSeconds());
  }

  /** A pod that has failed may be followed by another, as long as its TrainJob hasn't. */
  private static boolean isOver(Training now, Optional<Step> step) {
    return now.state().isFinal() || step.filter(it -> it.phase().equals("Succeeded")).isPresent();
  }

  private Step awaitStep(String step) throws InterruptedException {
    return await(
        found -> step(found, step).filter(it -> !it.phase().isEmpty() && !isPending(it)),
        "step " + step);
  }

  private static boolean isPending(Step step) {
    return step.phase().equals("Pending");
  }

  private static Optional<Step> step(Training training, String step) {
    return training.steps().stream().filter(it -> it.name().equals(step)).findFirst();
  }

  /** Waits until there is something in a TrainJob. */
  private <T> T await(Function<Training, Optional<T>> find, String what)
      throws InterruptedException {
    long end = System.nanoTime() + options.patience().toNanos();
    Training last = null;
    try (Changes<Training> all = changes.get()) {
      while (true) {
        Training found = all.next(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
        if (found == null) {
          throw new TrainerException.TimedOut(
              "TrainJob "
                  + name
                  + " is "
                  + last.state()
                  + " and "
                  + what
                  + " doesn't run yet"
                  + (last.reason().isEmpty() ? "" : ": " + last.reason()),
              null);
        }
        last = found;
        Optional<T> wanted = find.apply(found);
        if (wanted.isPresent()) {
          return wanted.get();
        } else if (found.state().isFinal()) {
          throw new TrainerException.NotFound(
              "TrainJob "
                  + name
                  + " is "
                  + found.state()
                  + ", and "
                  + what
                  + " is not there; "
                  + there(found),
              null);
        }
      }
    }
  }

  private static String there(Training training) {
    List<String> steps = training.steps().stream().map(Step::name).toList();
    return steps.isEmpty() ? "its pods are gone" : "there is " + String.join(", ", steps);
  }
}
