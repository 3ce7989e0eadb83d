package dev.waymark.controller.reconcile;

import dev.waymark.trainer.api.TrainJob;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Has TrainJobs reconciled when their deadlines come, whatever became of the reconciles in between.
 * The framework has one timer for each, and a reconcile that fails takes it for its own next try
 * (seen in JOSDK 5.3.2), which may come a quarter of an hour after the deadline. Safe for every
 * thread; one TrainJob by one thread at a time.
 */
final class Deadlines {

  private record Alarm(Instant at, CompletableFuture<Void> timer) {}

  private final Map<ResourceID, Alarm> alarms = new ConcurrentHashMap<>();
  private final Consumer<ResourceID> wake;
  private final Function<Duration, CompletableFuture<Void>> timers;

  /**
   * Makes an empty set.
   *
   * @param wake has a TrainJob reconciled; called on a thread that must not wait
   */
  Deadlines(Consumer<ResourceID> wake) {
    this(wake, Deadlines::timer);
  }

  /** With other timers, each complete when its time is over. */
  Deadlines(Consumer<ResourceID> wake, Function<Duration, CompletableFuture<Void>> timers) {
    this.wake = wake;
    this.timers = timers;
  }

  /** What is centuries away is cut to what nanoseconds can count, which no process sees. */
  private static CompletableFuture<Void> timer(Duration wait) {
    return new CompletableFuture<Void>()
        .completeOnTimeout(null, TimeUnit.NANOSECONDS.convert(wait), TimeUnit.NANOSECONDS);
  }

  /** Wakes a TrainJob once its deadline is over, and at no other time; empty: never. */
  void set(TrainJob trainJob, Optional<Instant> deadline, Instant now) {
    ResourceID id = ResourceID.fromResource(trainJob);
    Alarm before = alarms.get(id);
    if (before != null && deadline.filter(before.at()::equals).isPresent()) {
      return;
    }
    forget(trainJob);
    deadline.ifPresent(at -> set(id, at, now));
  }

  private void set(ResourceID id, Instant at, Instant now) {
    // On the dot, the reconcile could find that it isn't over yet.
    Alarm alarm = new Alarm(at, timers.apply(Duration.between(now, at).plusMillis(1)));
    alarms.put(id, alarm);
    alarm
        .timer()
        .thenRun(
            () -> {
              alarms.remove(id, alarm);
              wake.accept(id);
            });
  }

  /** Lets go of a TrainJob that is over. */
  void forget(TrainJob trainJob) {
    Alarm alarm = alarms.remove(ResourceID.fromResource(trainJob));
    if (alarm != null) {
      alarm.timer().cancel(/* mayInterruptIfRunning= */ false);
    }
  }
}
