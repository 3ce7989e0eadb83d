package dev.waymark.cli.terminal;

import dev.waymark.trainer.api.TrainerStatus;
import java.io.PrintStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Progress for an output that is no terminal: a line when percent, epoch or state changed, or the
 * step where it alone is known; at most one every two seconds.
 */
final class PlainLines implements ProgressDisplay {

  private static final long PACE_NANOS = Duration.ofSeconds(2).toNanos();

  private final PrintStream out;
  private final LongSupplier nanoClock;

  private String lastShown = "";
  private long lastShownNanos;

  PlainLines(PrintStream out) {
    this(out, System::nanoTime);
  }

  /** With a clock that only has to be monotonic, in nanoseconds. */
  PlainLines(PrintStream out, LongSupplier nanoClock) {
    this.out = out;
    this.nanoClock = nanoClock;
  }

  @Override
  public synchronized void show(TrainerStatus status) {
    StatusText text = new StatusText(status);
    String news = text.percent() + text.epochOrStep() + text.state();
    long now = nanoClock.getAsLong();
    boolean tooSoon = !lastShown.isEmpty() && now - lastShownNanos < PACE_NANOS;
    if (news.isEmpty() || news.equals(lastShown) || tooSoon) {
      return;
    }
    out.println("[waymark] " + text.line());
    lastShown = news;
    lastShownNanos = now;
  }

  @Override
  public void close() {}
}
