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

  /**
   * Makes an empty set.
   *
   * @param wake has a TrainJob reconciled; called on a thread that must not wait
   */
  Deadlines(Consumer<ResourceID> wake) {
    this.wake = wake;
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
    Alarm alarm = new Alarm(at, new CompletableFuture<>());
    alarms.put(id, alarm);
    // Cut to milliseconds, it would come just before.
    long millis = Math.max(0, Duration.between(now, at).toMillis()) + 1;
    alarm
        .timer()
        .completeOnTimeout(null, millis, TimeUnit.MILLISECONDS)
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
