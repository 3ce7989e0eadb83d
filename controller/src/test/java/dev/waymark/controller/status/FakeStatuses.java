package dev.waymark.controller.status;

import dev.waymark.status.TrainJobKey;
import dev.waymark.trainer.api.TrainerStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;

/** Statuses in memory that behave as a cluster's: versions, conflicts, failures, delays. */
final class FakeStatuses implements StoredStatuses {

  /** A write that was tried. */
  record Write(TrainJobKey trainJob, TrainerStatus status, String resourceVersion) {}

  private static final class TrainJobState {
    TrainerStatus status;
    int version;
  }

  private final Map<TrainJobKey, TrainJobState> states = new HashMap<>();
  private final Set<TrainJobKey> cached;
  private final List<Write> writes = new ArrayList<>();
  private CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);
  private int failuresLeft;
  private boolean away;
  private int asked;
  private int reads;
  private Runnable beforeNextWrite = () -> {};

  FakeStatuses(TrainJobKey... trainJobs) {
    cached = Set.of(trainJobs);
    cached.forEach(key -> states.put(key, new TrainJobState()));
  }

  @Override
  public boolean isCached(TrainJobKey trainJob) {
    return cached.contains(trainJob);
  }

  @Override
  public synchronized CompletionStage<Optional<Stored>> read(TrainJobKey trainJob) {
    asked++;
    reads++;
    if (away) {
      return CompletableFuture.failedFuture(new IllegalStateException("the API server is away"));
    }
    TrainJobState state = states.get(trainJob);
    return CompletableFuture.completedFuture(
        Optional.ofNullable(state).map(it -> new Stored(it.status, Integer.toString(it.version))));
  }

  @Override
  public synchronized CompletionStage<Written> write(
      TrainJobKey trainJob, TrainerStatus status, String resourceVersion) {
    asked++;
    if (away || failuresLeft > 0) {
      failuresLeft--;
      return CompletableFuture.failedFuture(new IllegalStateException("the API server is away"));
    }
    Runnable before = beforeNextWrite;
    beforeNextWrite = () -> {};
    before.run();
    TrainJobState state = states.get(trainJob);
    if (state == null) {
      return CompletableFuture.completedFuture(Written.NOT_FOUND);
    }
    if (resourceVersion != null && !resourceVersion.equals(Integer.toString(state.version))) {
      return CompletableFuture.completedFuture(Written.CONFLICT);
    }
    writes.add(new Write(trainJob, status, resourceVersion));
    state.status = status;
    state.version++;
    return gate.thenApply(open -> Written.DONE);
  }

  /** Answers no writes until they are released. */
  synchronized void hold() {
    gate = new CompletableFuture<>();
  }

  void release() {
    gate.complete(null);
  }

  synchronized void fail(int times) {
    failuresLeft = times;
  }

  /** From now on, or no more, reads and writes fail. */
  synchronized void away(boolean isAway) {
    away = isAway;
  }

  synchronized void delete(TrainJobKey trainJob) {
    states.remove(trainJob);
  }

  synchronized void createdBehindTheCache(TrainJobKey trainJob) {
    states.put(trainJob, new TrainJobState());
  }

  synchronized void writtenByAnotherReplica(TrainJobKey trainJob, TrainerStatus status) {
    states.get(trainJob).status = status;
    states.get(trainJob).version++;
  }

  synchronized void changeBeforeNextWrite(TrainJobKey trainJob, TrainerStatus status) {
    beforeNextWrite = () -> writtenByAnotherReplica(trainJob, status);
  }

  synchronized List<Write> writes() {
    return List.copyOf(writes);
  }

  synchronized TrainerStatus status(TrainJobKey trainJob) {
    return states.get(trainJob).status;
  }

  /** Reads and writes that were tried, whether they failed or not. */
  synchronized int asked() {
    return asked;
  }

  synchronized int reads() {
    return reads;
  }

  /** Lets some time pass between two reports, as a training does. */
  void pause(Duration time) {
    LockSupport.parkNanos(time.toNanos());
  }
}
