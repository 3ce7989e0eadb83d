package dev.waymark.controller.status;

import static java.util.Objects.requireNonNull;

import dev.waymark.controller.kubernetes.TokenBucket;
import dev.waymark.status.StatusSink;
import dev.waymark.status.TrainJobKey;
import dev.waymark.status.TrainerStatusLimits;
import dev.waymark.trainer.api.TrainerStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes reports to the status of their TrainJobs, so spaced that no job's reports can keep others
 * waiting or flood the API server. What is answered with success is either stored, or the newest
 * report of its TrainJob and stored within about the spacing; a last word is always stored first.
 * {@link ReportLane} has the rules. Safe for every thread.
 */
public final class KubernetesStatusSink implements StatusSink, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(KubernetesStatusSink.class);

  /** How long the reports that wait may take to be written when the controller ends. */
  private static final Duration FLUSH_LIMIT = Duration.ofSeconds(5);

  /** Of the questions for TrainJobs that the cache doesn't know, a second. */
  private static final double LOOKUP_QPS = 10;

  private static final int LOOKUP_BURST = 20;

  private final StoredStatuses stored;
  private final RequestLimit limit;
  private final Duration spacing;
  private final ScheduledExecutorService timer;
  private final Map<TrainJobKey, ReportLane> lanes = new ConcurrentHashMap<>();
  private final TrainJobLookups lookups;

  /**
   * Makes a sink.
   *
   * @param limit of requests to the API server, shared by all TrainJobs; questions for TrainJobs
   *     that the cache doesn't know have their own
   * @param spacing between two writes of a TrainJob's reports
   * @param timer runs what is due later; stays open when the sink closes
   */
  KubernetesStatusSink(
      StoredStatuses stored, TokenBucket limit, Duration spacing, ScheduledExecutorService timer) {
    this.stored = requireNonNull(stored, "stored");
    this.spacing = requireNonNull(spacing, "spacing");
    this.timer = requireNonNull(timer, "timer");
    this.limit = new RequestLimit(limit, timer);
    this.lookups = new TrainJobLookups(stored, new TokenBucket(LOOKUP_QPS, LOOKUP_BURST), timer);
  }

  @Override
  public CompletionStage<Outcome> write(TrainJobKey trainJob, TrainerStatus status) {
    boolean isCached = stored.isCached(trainJob);
    if (!isCached && !trainJob.isPossible()) {
      // Names come from a URL, and go into one: a ?watch=true among them must never be asked.
      return CompletableFuture.completedFuture(new Outcome.TrainJobNotFound());
    }
    Optional<String> violation = TrainerStatusLimits.violation(trainJob.name(), status);
    if (violation.isPresent()) {
      return CompletableFuture.completedFuture(new Outcome.Invalid(violation.get()));
    }
    if (isCached) {
      return report(trainJob, status);
    }
    // The cache may be behind.
    return lookups
        .exists(trainJob)
        .map(exists -> exists.thenCompose(there -> report(trainJob, status, there)))
        .orElseGet(() -> CompletableFuture.completedFuture(new Outcome.Unavailable()));
  }

  private CompletionStage<Outcome> report(
      TrainJobKey trainJob, TrainerStatus status, boolean exists) {
    return exists
        ? report(trainJob, status)
        : CompletableFuture.completedFuture(new Outcome.TrainJobNotFound());
  }

  private CompletionStage<Outcome> report(TrainJobKey trainJob, TrainerStatus status) {
    Optional<CompletionStage<Outcome>> answer;
    do {
      answer = lane(trainJob).report(status);
    } while (answer.isEmpty());
    return answer.get();
  }

  private ReportLane lane(TrainJobKey trainJob) {
    return lanes.computeIfAbsent(
        trainJob,
        key -> new ReportLane(key, stored, limit, spacing, timer, () -> lanes.remove(key)));
  }

  /** How many TrainJobs have a report that is answered and not yet written. */
  public int waiting() {
    return (int) lanes.values().stream().filter(ReportLane::isWaiting).count();
  }

  /** Writes what is still waiting, for at most 5 s. To be called when no more reports come. */
  @Override
  public void close() {
    List<CompletableFuture<Void>> flushes =
        List.copyOf(lanes.values()).stream().map(ReportLane::flush).toList();
    try {
      CompletableFuture.allOf(flushes.toArray(new CompletableFuture<?>[0]))
          .get(FLUSH_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException | ExecutionException e) {
      log.warn("Reports of {} TrainJobs were not written before the end", waiting());
    }
  }
}
