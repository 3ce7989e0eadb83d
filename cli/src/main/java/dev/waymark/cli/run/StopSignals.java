package dev.waymark.cli.run;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jline.utils.Signals;

/**
 * Lets the signals that end this process end its nodes first: the first one gently, the second one
 * at once. The process itself ends when the nodes have.
 */
final class StopSignals {

  /** Ctrl-C, {@code kill}, and the terminal that is closed. */
  private static final List<String> NAMES = List.of("INT", "TERM", "HUP");

  private StopSignals() {}

  static void register(NodeGroup group, Duration grace, Consumer<String> log) {
    AtomicInteger received = new AtomicInteger();
    for (String name : NAMES) {
      Signals.register(
          name,
          () -> {
            if (received.incrementAndGet() == 1) {
              log.accept(
                  "SIG"
                      + name
                      + ": asked the program to end; it has "
                      + grace.toSeconds()
                      + " s, or until a second signal");
              group.stop();
            } else {
              log.accept("SIG" + name + ": killing the program");
              group.kill();
            }
          });
    }
  }
}
