package dev.waymark.client;

import dev.waymark.trainer.api.TrainerStatus;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Tells what a training program says about its progress, until its TrainJob has ended. Each
 * subscriber has a thread of its own, which reads when there is demand: whoever is slow gets the
 * newest status and misses those between, so nothing piles up.
 */
final class ProgressPublisher implements Flow.Publisher<TrainerStatus> {

  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  private final String name;
  private final Supplier<Changes<Training>> changes;

  /**
   * Tells of one TrainJob.
   *
   * @param changes a new one for each subscriber
   */
  ProgressPublisher(String name, Supplier<Changes<Training>> changes) {
    this.name = name;
    this.changes = changes;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super TrainerStatus> subscriber) {
    Objects.requireNonNull(subscriber);
    Subscription subscription = new Subscription(subscriber, changes.get());
    Thread thread = new Thread(subscription, "waymark-progress-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  /** All signals come from its thread, so they never overlap. */
  private static final class Subscription implements Flow.Subscription, Runnable {

    private final Flow.Subscriber<? super TrainerStatus> subscriber;
    private final Changes<Training> changes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final AtomicReference<Throwable> misuse = new AtomicReference<>();
    private long demand;
    private boolean cancelled;

    Subscription(Flow.Subscriber<? super TrainerStatus> subscriber, Changes<Training> changes) {
      this.subscriber = subscriber;
      this.changes = changes;
    }

    @Override
    public void request(long n) {
      if (n <= 0) {
        misuse.compareAndSet(
            null, new IllegalArgumentException("request(" + n + "): at least 1 (rule 3.9)"));
        changes.stop();
      }
      lock.lock();
      try {
        demand = n > Long.MAX_VALUE - demand ? Long.MAX_VALUE : demand + Math.max(n, 0);
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void cancel() {
      lock.lock();
      try {
        cancelled = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
      changes.stop();
    }

    @Override
    public void run() {
      try (changes) {
        subscriber.onSubscribe(this);
        tell();
      } catch (InterruptedException nobodyDoes) {
        Thread.currentThread().interrupt();
      } catch (RuntimeException | Error e) {
        if (!isCancelled()) {
          subscriber.onError(e);
        }
      }
    }

    private void tell() throws InterruptedException {
      TrainerStatus told = null;
      while (awaitDemand()) {
        Training training = changes.next(FOR_EVER);
        if (training == null) {
          break;
        }
        TrainerStatus status = training.trainerStatus().orElse(null);
        if (status != null && !status.equals(told)) {
          told = status;
          consumeDemand();
          subscriber.onNext(status);
        }
        if (training.state().isFinal()) {
          end(training);
          return;
        }
      }
      if (misuse.get() != null && !isCancelled()) {
        subscriber.onError(misuse.get());
      }
    }

    private void end(Training training) {
      if (isCancelled()) {
        return;
      }
      if (training.state() == TrainingState.FAILED) {
        subscriber.onError(
            new TrainerException.Failed(
                "TrainJob " + training.name() + " has failed: " + training.reason(), training));
      } else {
        subscriber.onComplete();
      }
    }

    /** False if there will be none. */
    private boolean awaitDemand() throws InterruptedException {
      lock.lock();
      try {
        while (demand == 0 && !cancelled && misuse.get() == null) {
          changed.await();
        }
        return !cancelled && misuse.get() == null;
      } finally {
        lock.unlock();
      }
    }

    private void consumeDemand() {
      lock.lock();
      try {
        if (demand != Long.MAX_VALUE) {
          demand--;
        }
      } finally {
        lock.unlock();
      }
    }

    private boolean isCancelled() {
      lock.lock();
      try {
        return cancelled;
      } finally {
        lock.unlock();
      }
    }
  }
}
