package dev.waymark.reporter;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A trainer's next run, which begins with its first step, unless something is thrown before: then
 * it begins with its end, since a training that fails at once has failed all the same. For the
 * listeners of frameworks.
 *
 * <p>Safe for any thread. Outlives its trainer, so it refers to nothing of the framework's.
 */
public final class AwaitedRun {
  private final Turn turn;
  private final String trainer;
  private final EndingExceptions endings;
  private final AtomicBoolean over = new AtomicBoolean();

  /**
   * Awaits the first step of a trainer's next run.
   *
   * @param trainer what the log calls the trainer
   * @param endings what the exceptions of the framework mean
   */
  public AwaitedRun(Turn turn, String trainer, EndingExceptions endings) {
    this.turn = turn;
    this.trainer = trainer;
    this.endings = endings;
  }

  /**
   * Something was thrown before the first step: the run begins, if it is this trainer's turn, and
   * ends by that. Does nothing once the run is over or has begun otherwise.
   */
  public void failed(Throwable thrown) {
    if (over.compareAndSet(false, true)) {
      turn.over();
      endings.end(turn.take(() -> TrainingRun.attach(trainer)), thrown);
    }
  }

  /** The run begins in the usual way. */
  public void begins() {
    over.set(true);
  }

  /** Whether the run is awaited no more: it has failed, or begun. */
  public boolean isOver() {
    return over.get();
  }
}
