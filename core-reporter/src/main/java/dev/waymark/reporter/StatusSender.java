package dev.waymark.reporter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;

/**
 * Sends reports to the status endpoint, on one daemon thread of its own, and never troubles anybody
 * with what goes wrong.
 *
 * <p>The ideas are those of Micrometer's PushMeterRegistry: one thread, so two sendings never
 * overlap; whatever is thrown is caught inside; a random first offset; a flush waits for a sending
 * in flight, though not for long, and sends once more. {@link SendSchedule} decides when, {@link
 * ReportDelivery} how.
 *
 * <p>No lock is held across I/O, and a thread that trains never waits for one: the sender asks its
 * source, not the other way round. Safe for any thread.
 */
final class StatusSender {
  private static final Duration ATTEMPT_LIMIT = Duration.ofSeconds(5);

  /** How often the source is asked for last words. */
  private static final Duration TICK = Duration.ofSeconds(1);

  private final ReportSource source;
  private final StatusEndpoint endpoint;
  private final ReportDelivery delivery;
  private final Outage outage;
  private final SendSchedule schedule;
  private final ThreadFactory threads;
  private final long tick;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition woken = lock.newCondition();
  private final Condition flushed = lock.newCondition();
  private final List<Flush> flushes = new ArrayList<>();
  private boolean wakeUp;
  private boolean started;
  private volatile boolean threadMissing;
  private volatile boolean closed;

  /** Of the attempt in flight, if it began without a flush; null if there is none. */
  private volatile Deadline ordinaryAttempt;

  /**
   * @param endpoint is closed together with the sender
   * @param interval from one report to the next, at least
   */
  StatusSender(ReportSource source, StatusEndpoint endpoint, Duration interval, Log log) {
    this(source, endpoint, interval, log, () -> ThreadLocalRandom.current().nextDouble());
  }

  StatusSender(
      ReportSource source,
      StatusEndpoint endpoint,
      Duration interval,
      Log log,
      DoubleSupplier random) {
    this(source, endpoint, interval, log, random, StatusSender::newThread);
  }

  StatusSender(
      ReportSource source,
      StatusEndpoint endpoint,
      Duration interval,
      Log log,
      DoubleSupplier random,
      ThreadFactory threads) {
    this(source, endpoint, new SendSchedule(interval, System.nanoTime(), random), log, threads);
  }

  StatusSender(
      ReportSource source,
      StatusEndpoint endpoint,
      SendSchedule schedule,
      Log log,
      ThreadFactory threads) {
    this.source = source;
    this.endpoint = endpoint;
    this.delivery = new ReportDelivery(endpoint, log);
    this.outage = new Outage(endpoint.name(), log);
    this.schedule = schedule;
    this.threads = threads;
    this.tick = Math.min(TICK.toNanos(), schedule.interval());
  }

  static Thread newThread(Runnable task) {
    Thread thread = DetachedThread.of("waymark-sender", task);
    thread.setDaemon(true);
    return thread;
  }

  /** Starts the thread. Calls while it runs, and after {@link #stop}, do nothing. */
  void start() {
    lock.lock();
    try {
      if (!started && !closed) {
        threads.newThread(this::run).start();
        started = true;
        threadMissing = false;
      }
    } catch (OutOfMemoryError e) {
      // The JVM's way of saying that the container's limit of threads is reached.
      threadMissing = true;
      schedule.failed(System.nanoTime());
      outage.attemptFailed("no thread could be started: " + e.getMessage(), System.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Tries again to start a thread that could not be started, though not more often than a report is
   * tried again. For threads that train: it costs nothing if there is nothing to do.
   */
  void startIfMissing() {
    if (!threadMissing || !lock.tryLock()) {
      return;
    }
    try {
      if (threadMissing && schedule.waitNanos(System.nanoTime(), false) <= 0) {
        start();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sends what waits to be said last, now, even in the middle of a back-off, and waits for it: for
   * the shutdown hook. Two attempts are made at most, on different connections: behind one name
   * there may be several servers, and the one that the kept connection leads to may be dead. So a
   * sending in flight is let finish for a third of the limit only, and the first attempt gets no
   * more than half of it. That is for the newest last word, which is what the server keeps; the
   * ones before it are sent first if there is time ({@link Flush}), and otherwise never.
   *
   * @param limit how long to wait at most
   * @return whether the newest last word is acknowledged
   */
  boolean flush(Duration limit) {
    Flush flush = new Flush(limit);
    if (!begin(flush)) {
      return false;
    }
    source.hurry();
    try {
      awaitEnd(flush, flush.firstThird());
      if (flush.isOpen() && flush.nanosLeft() > 0) {
        cutOrdinaryAttempt();
      }
      awaitEnd(flush, limit.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (flush.isOpen() && !closed) {
      outage.lastAttemptFailed(notAcknowledged(limit), 1 + flush.givenUp(), System.nanoTime());
    }
    forget(flush);
    return flush.state() == Flush.State.DELIVERED;
  }

  /** The attempt in flight, which goes on, may be the first of all and has told nothing yet. */
  private String notAcknowledged(Duration limit) {
    String hint = endpoint.hint();
    return "the last status was not acknowledged within "
        + limit.toMillis()
        + " ms"
        + (hint.isEmpty() ? "" : " (" + hint + ")");
  }

  private boolean begin(Flush flush) {
    lock.lock();
    try {
      if (!closed) {
        flushes.add(flush);
        wakeUp = true;
        woken.signal();
        start();
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /** Returns when the flush has ended, or so long after it began. */
  private void awaitEnd(Flush flush, long nanos) throws InterruptedException {
    lock.lock();
    try {
      for (long left; flush.isOpen() && !closed && (left = nanos - flush.nanosTaken()) > 0; ) {
        flushed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private void cutOrdinaryAttempt() {
    Deadline attempt = ordinaryAttempt;
    if (attempt != null) {
      attempt.cut();
      endpoint.disconnect();
    }
  }

  private void forget(Flush flush) {
    lock.lock();
    try {
      flushes.remove(flush);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the thread and closes the connection, without a last try and without waiting; the source
   * may call it too, when it has nothing more to say. Later calls do nothing.
   */
  void stop() {
    lock.lock();
    try {
      closed = true;
      wakeUp = true;
      woken.signal();
      flushed.signalAll();
    } finally {
      lock.unlock();
      endpoint.close(); // ends an attempt that hangs
    }
  }

  private void run() {
    while (!closed) {
      long wait;
      try {
        wait = turn();
      } catch (Throwable t) {
        // A defect of ours, or no memory left. The thread lives on: what comes may be better.
        wait = afterDefect(t);
      }
      await(wait);
    }
  }

  /** Does what is due. Returns the nanos until the next turn; 0 or less: at once. */
  private long turn() {
    Flush urgent = currentFlush();
    boolean lastWord = source.hasLastWord();
    if (closed) {
      return 0; // by the source; its reports may be another sender's already
    }
    if (urgent != null && !lastWord) {
      if (urgent.givenUp() > 0) {
        outage.olderLastWordsDropped(urgent.givenUp());
      }
      settle(urgent, Flush.State.DELIVERED);
      urgent = null;
    }
    long now = System.nanoTime();
    long wait = urgent == null ? schedule.waitNanos(now, lastWord) : urgent.waitNanos(now);
    if (wait > 0) {
      return Math.min(wait, tick);
    }
    if (urgent != null) {
      sendUrgently(urgent);
      return 0;
    }
    Report report = source.next();
    if (report == null) {
      schedule.idle(now);
      return tick;
    }
    sendAsUsual(report);
    return 0;
  }

  private void sendAsUsual(Report report) {
    Deadline deadline = Deadline.in(ATTEMPT_LIMIT);
    ordinaryAttempt = deadline;
    try {
      send(report, deadline);
    } finally {
      ordinaryAttempt = null;
    }
  }

  /** A last word waits, for it was asked for just now and nobody else takes one away. */
  private void sendUrgently(Flush urgent) {
    boolean timeForOlder = urgent.hasTimeForOlder();
    if (!timeForOlder) {
      urgent.gaveUp(source.dropOlderLastWords());
    }
    Report report = source.next();
    if (timeForOlder && source.hasOlderLastWord()) {
      sendOlder(report, urgent);
    } else {
      sendNewest(report, urgent);
    }
  }

  private void sendOlder(Report report, Flush urgent) {
    if (!send(report, Deadline.in(urgent.olderAttemptLimit(ATTEMPT_LIMIT)))) {
      urgent.olderAttemptFailed();
      endpoint.disconnect();
    }
  }

  private void sendNewest(Report report, Flush urgent) {
    if (urgent.hasFailedOnce()) {
      endpoint.disconnect();
    }
    boolean delivered = send(report, Deadline.in(urgent.attemptLimit(ATTEMPT_LIMIT)));
    if (!delivered && !urgent.attemptFailed()) {
      outage.lastAttemptFailed(delivery.reason(), 1 + urgent.givenUp(), System.nanoTime());
      settle(urgent, Flush.State.FAILED);
    }
  }

  private boolean send(Report report, Deadline deadline) {
    long start = System.nanoTime();
    ReportDelivery.Result result = delivery.deliver(report, deadline);
    if (result == ReportDelivery.Result.ACCEPTED) {
      schedule.succeeded(start);
      outage.attemptSucceeded(System.nanoTime());
      source.acknowledged(report);
      return true;
    }
    if (result == ReportDelivery.Result.NOT_FOUND) {
      schedule.notFound(start);
    } else {
      schedule.failed(start);
    }
    // While a flush waits, only its end is worth a word: it may cut an attempt, and try again.
    if (!closed && currentFlush() == null) {
      outage.attemptFailed(delivery.reason(), start);
    }
    return false;
  }

  private long afterDefect(Throwable t) {
    try {
      long now = System.nanoTime();
      schedule.failed(now);
      outage.attemptFailed("internal error: " + t, now);
    } catch (Throwable again) {
      // Not even a line can be written.
    }
    return tick;
  }

  private void await(long nanos) {
    lock.lock();
    try {
      if (nanos > 0 && !wakeUp) {
        woken.awaitNanos(nanos);
      }
      wakeUp = false;
    } catch (InterruptedException e) {
      // Somebody interrupts a whole thread group; only stop() ends the sender.
    } finally {
      lock.unlock();
    }
  }

  private Flush currentFlush() {
    lock.lock();
    try {
      return flushes.isEmpty() ? null : flushes.get(0);
    } finally {
      lock.unlock();
    }
  }

  private void settle(Flush flush, Flush.State state) {
    lock.lock();
    try {
      flush.end(state);
      flushes.remove(flush);
      flushed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
