package dev.waymark.cli.run;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jline.utils.Signals;

/**
 * Lets the signals that end this process end its nodes first: the first one gently, the second one
 * at once. The process itself ends when the nodes have.
 *
 * <p>Ctrl-C sends SIGINT to all processes at the terminal. They have it already, and many end
 * gently at it alone: only those that still run after a while get SIGTERM.
 *
 * <p>What is to be done is done before it is told: a terminal that stands still (Ctrl-S) holds up
 * the telling only.
 */
final class StopSignals implements AutoCloseable {

  /** Ctrl-C, {@code kill}, and the terminal that is closed, with their numbers (POSIX). */
  private static final Map<String, Integer> NUMBERS = Map.of("INT", 2, "TERM", 15, "HUP", 1);

  /** What a program has at Ctrl-C before it is told again. */
  private static final Duration INTERRUPT_PATIENCE = Duration.ofSeconds(5);

  /** What a signal that others have got already may take to be told here. */
  private static final Duration DELIVERY = Duration.ofSeconds(1);

  private final NodeGroup group;
  private final Duration patience;
  private final Consumer<String> log;
  private final CompletableFuture<String> first = new CompletableFuture<>();
  private final Map<String, Object> handlersBefore = new HashMap<>();

  /**
   * @param patience what a program has at SIGINT before it gets SIGTERM
   */
  StopSignals(NodeGroup group, Duration patience, Consumer<String> log) {
    this.group = group;
    this.patience = patience;
    this.log = log;
  }

  /** From now on until closed. */
  static StopSignals register(NodeGroup group, Consumer<String> log) {
    StopSignals signals = new StopSignals(group, INTERRUPT_PATIENCE, log);
    for (String name : NUMBERS.keySet()) {
      signals.handlersBefore.put(name, Signals.register(name, () -> signals.received(name)));
    }
    return signals;
  }

  /** Gives the signals back to who had them. */
  @Override
  public void close() {
    handlersBefore.forEach(Signals::unregister);
  }

  void received(String name) {
    if (!first.complete(name)) {
      group.kill();
      log.accept("SIG" + name + ": killing the program");
    } else if (name.equals("INT")) {
      group.stopAfter(patience);
      log.accept(
          "SIGINT: the program has %d s to end by itself and %d s more after SIGTERM,"
                  .formatted(patience.toSeconds(), group.grace().toSeconds())
              + " or until a second signal");
    } else {
      group.stop();
      log.accept(
          "SIG%s: asked the program to end; it has %d s, or until a second signal"
              .formatted(name, group.grace().toSeconds()));
    }
  }

  /**
   * How a program has ended that could not be started: Ctrl-C ends also the process that is about
   * to become the program, which Java calls a failure to start it (JDK 17 to 25).
   *
   * @return 128 and the signal's number, if there is one
   * @throws CannotStartException the failure, if it was no signal's doing
   */
  int exitCodeAfter(CannotStartException failure)
      throws CannotStartException, InterruptedException {
    if (failure.isExplained()) {
      throw failure;
    }
    try {
      return 128 + NUMBERS.get(first.get(DELIVERY.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException | ExecutionException e) {
      throw failure;
    }
  }
}
