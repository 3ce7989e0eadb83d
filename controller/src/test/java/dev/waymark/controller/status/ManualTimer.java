package dev.waymark.controller.status;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A timer whose time comes when a test says so: tasks run on the test's thread, soonest first. */
final class ManualTimer extends ScheduledThreadPoolExecutor {

  private record Task(long at, int number, Runnable work) {}

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingInt(Task::number));

  private int scheduled;

  ManualTimer() {
    super(1);
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable work, long delay, TimeUnit unit) {
    tasks.add(new Task(System.nanoTime() + unit.toNanos(delay), scheduled++, work));
    return super.schedule(() -> {}, delay, unit);
  }

  /** How long it is until the next task is due. */
  Duration untilNext() {
    return Duration.ofNanos(tasks.element().at() - System.nanoTime());
  }

  /** Runs the task that is due next, as if its time had come. */
  void next() {
    tasks.remove().work().run();
  }
}
