package dev.waymark.client;

import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.Watchable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Something of a cluster that is read again whenever it may have changed. Watches only wake,
 * reading tells: so nothing depends on a watch that has missed something, stands still or was cut,
 * which costs a read too many now and then. For use by one thread; any may stop it.
 */
final class Changes<T> implements AutoCloseable {

  /** Between two reads while watches are there, and while one isn't. */
  private static final Duration RESYNC = Duration.ofSeconds(30);

  private static final Duration RESYNC_UNWATCHED = Duration.ofSeconds(2);

  /** Between two reads at least, and as a multiple of what the last one took. */
  private static final Duration PACE = Duration.ofMillis(200);

  private static final int PACE_IN_READS = 3;

  private final Supplier<T> read;
  private final List<Supplier<Watch>> watchOpeners = new ArrayList<>();
  private final List<Watch> watches = new ArrayList<>();
  private final Semaphore wakes = new Semaphore(0);
  private volatile boolean watching;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private T last;

  /** Null where nobody wants to know. */
  private Consumer<TrainerException> failures;

  private boolean failureIsTold;
  private long earliestNanos = System.nanoTime();

  /**
   * Reads by this.
   *
   * @param read may throw; what is {@link TrainerException#isTransient transient} is tried again
   */
  Changes(Supplier<T> read) {
    this.read = read;
  }

  /** Wakes when something of this changes. */
  <R> Changes<T> wokenBy(Supplier<? extends Watchable<R>> what) {
    watchOpeners.add(() -> what.get().watch(new Waker<R>()));
    return this;
  }

  /**
   * Tells each time why it can't be read for now. When it can be read again, {@link #next} returns
   * it whether or not it has changed meanwhile.
   */
  Changes<T> tellingFailures(Consumer<TrainerException> failures) {
    this.failures = failures;
    return this;
  }

  /**
   * Wakes when one of many changes.
   *
   * @param version of them now, from which the watch begins: without it all of them would be told
   *     first, however many there are
   */
  <R> Changes<T> wokenBy(Supplier<? extends Watchable<R>> what, Supplier<String> version) {
    watchOpeners.add(
        () ->
            what.get()
                .watch(
                    new ListOptionsBuilder().withResourceVersion(version.get()).build(),
                    new Waker<R>()));
    return this;
  }

  /**
   * Waits until it differs from what was returned last.
   *
   * @param limit how long; it is read once at least
   * @return as it is now, or null when the time is over or this was stopped
   * @throws TrainerException if it can't be read the first time, or in a way that no waiting mends
   */
  T next(Duration limit) throws InterruptedException {
    long end = System.nanoTime() + nanos(limit);
    while (!isStopped(earliestNanos - System.nanoTime())) {
      openWatches();
      T now = readNow();
      if (now != null && (failureIsTold || !now.equals(last))) {
        failureIsTold = false;
        last = now;
        return now;
      }
      long left = end - System.nanoTime();
      if (left <= 0) {
        return null;
      }
      long resync = (watching ? RESYNC : RESYNC_UNWATCHED).toNanos();
      // One permit or many: it is read once for all that has happened so far.
      if (wakes.tryAcquire(Math.min(left, resync), TimeUnit.NANOSECONDS)) {
        wakes.drainPermits();
      }
    }
    return null;
  }

  /** Ends a {@link #next} that waits, and all that come. Safe for every thread. */
  void stop() {
    stopped.countDown();
    wakes.release();
  }

  /** Null where it can't be read for now. */
  private T readNow() {
    long start = System.nanoTime();
    try {
      return read.get();
    } catch (TrainerException e) {
      if (last == null || !e.isTransient()) {
        throw e;
      }
      closeWatches();
      if (failures != null) {
        failures.accept(e);
        failureIsTold = true;
      }
      return null;
    } finally {
      // The first one also loads classes and opens the connection, so it tells of no pace.
      long took = last == null ? 0 : System.nanoTime() - start;
      earliestNanos = System.nanoTime() + Math.max(PACE.toNanos(), took * PACE_IN_READS);
    }
  }

  /** Only once it was read: a server that doesn't answer is told by the first read, and at once. */
  private void openWatches() {
    if (watching || last == null) {
      return;
    }
    closeWatches();
    // Before they are opened: one that is cut at once says so, and it must stay said.
    watching = !watchOpeners.isEmpty();
    try {
      for (Supplier<Watch> opener : watchOpeners) {
        watches.add(opener.get());
      }
    } catch (RuntimeException noRightOrNoAnswer) {
      closeWatches();
    }
  }

  private void closeWatches() {
    watching = false;
    watches.forEach(Watch::close);
    watches.clear();
  }

  private static long nanos(Duration limit) {
    // Half of what a long holds, so that sums don't overflow: 146 years.
    return limit.compareTo(Duration.ofDays(36_500)) > 0 ? Long.MAX_VALUE / 2 : limit.toNanos();
  }

  /** Whether this was stopped, or is within so many nanoseconds. */
  private boolean isStopped(long nanos) throws InterruptedException {
    return stopped.await(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    stop();
    closeWatches();
  }

  private final class Waker<R> implements Watcher<R> {

    @Override
    public void eventReceived(Action action, R resource) {
      wakes.release();
    }

    @Override
    public void onClose(WatcherException cause) {
      watching = false;
      wakes.release();
    }
  }
}
