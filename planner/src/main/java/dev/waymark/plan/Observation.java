package dev.waymark.plan;

import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.JobSetStatus.ReplicatedJobStatus;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobStatus;
import dev.waymark.trainer.api.TrainJobStatus.JobStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;

/**
 * What is to be said of a TrainJob, and to be done about it, now that its JobSet has been looked
 * at. Differs from upstream v2.3 where that is wrong: a TrainJob that is finished is not marked as
 * suspended any more; one that is suspended is not complete because nothing was to run; no job
 * counts as active when the deadline has taken its JobSet away.
 *
 * @param status the TrainJob's next status; its trainerStatus is never changed. Null while there is
 *     nothing to say, because an empty status is invalid
 * @param deadline when the TrainJob must be looked at again, if nothing happens before
 * @param deleteJobSet whether the JobSet has to go, until it has gone
 */
public record Observation(TrainJobStatus status, Optional<Instant> deadline, boolean deleteJobSet) {

  /** Condition types of a TrainJob. */
  public static final String SUSPENDED = "Suspended";

  public static final String COMPLETE = "Complete";
  public static final String FAILED = "Failed";

  /** Reason of a TrainJob that ran for longer than it may. */
  public static final String DEADLINE_EXCEEDED = "DeadlineExceeded";

  /** Reason of a TrainJob whose runtime this version can't run. */
  public static final String RUNTIME_NOT_SUPPORTED = "TrainingRuntimeNotSupported";

  /** Type of a JobSet's condition that makes a TrainJob complete. */
  private static final String COMPLETED = "Completed";

  /**
   * Looks at a TrainJob.
   *
   * @param jobSet the TrainJob's own, or null if there is none or it is another's
   */
  public static Observation of(TrainJob job, JobSet jobSet, Instant now) {
    Conditions before = conditions(job);
    Conditions conditions = isFinished(before) ? before : suspended(job, before, now);
    List<JobStatus> jobs = job.getStatus() == null ? null : job.getStatus().jobsStatus();
    if (jobSet != null && !isOverdue(conditions)) {
      conditions = finished(job, jobSet, conditions);
      jobs = jobs(jobSet);
    }
    Optional<Instant> deadline = deadline(job, conditions);
    if (deadline.filter(now::isAfter).isPresent()) {
      conditions =
          conditions.with(
              FAILED, true, DEADLINE_EXCEEDED, "TrainJob exceeded its active deadline", now);
      deadline = Optional.empty();
    }
    if (isOverdue(conditions)) {
      jobs = gone(jobs);
    }
    return new Observation(
        status(job, conditions, jobs), deadline, jobSet != null && isOverdue(conditions));
  }

  /** The status of a TrainJob that can't run, and why; that of a finished one stays. */
  public static TrainJobStatus failed(TrainJob job, String reason, String message, Instant now) {
    if (isFinished(job)) {
      return job.getStatus();
    }
    return status(
        job,
        conditions(job).with(FAILED, true, reason, message, now),
        job.getStatus() == null ? null : job.getStatus().jobsStatus());
  }

  /** Whether nothing of a TrainJob will run any more. */
  public static boolean isFinished(TrainJob job) {
    return isFinished(conditions(job));
  }

  private static boolean isFinished(Conditions conditions) {
    return conditions.isTrue(COMPLETE) || conditions.isTrue(FAILED);
  }

  private static boolean isOverdue(Conditions conditions) {
    return conditions.isTrue(FAILED)
        && conditions
            .get(FAILED)
            .map(Condition::getReason)
            .filter(DEADLINE_EXCEEDED::equals)
            .isPresent();
  }

  private static Conditions suspended(TrainJob job, Conditions conditions, Instant now) {
    if (job.isSuspended()) {
      return conditions.with(SUSPENDED, true, "Suspended", "TrainJob is suspended", now);
    }
    return conditions.isTrue(SUSPENDED)
        ? conditions.with(SUSPENDED, false, "Resumed", "TrainJob is resumed", now)
        : conditions;
  }

  private static Conditions finished(TrainJob job, JobSet jobSet, Conditions conditions) {
    List<Condition> ofJobSet = jobSet.getStatus() == null ? null : jobSet.getStatus().conditions();
    Conditions found = new Conditions(ofJobSet);
    Conditions next = conditions;
    if (found.isTrue(COMPLETED) && !(job.isSuspended() && hasNoPods(jobSet))) {
      next = next.copied(found.get(COMPLETED).orElseThrow(), COMPLETE);
    }
    if (found.isTrue(FAILED)) {
      next = next.copied(found.get(FAILED).orElseThrow(), FAILED);
    }
    return next;
  }

  /**
   * Counts from the creation, or from the last time that the TrainJob was resumed. The CRD takes
   * any number of seconds; a deadline after the end of time is none.
   */
  private static Optional<Instant> deadline(TrainJob job, Conditions conditions) {
    Long seconds = job.getSpec().activeDeadlineSeconds();
    if (seconds == null || seconds <= 0 || job.isSuspended() || isFinished(conditions)) {
      return Optional.empty();
    }
    String start =
        conditions.isFalse(SUSPENDED)
            ? conditions.get(SUSPENDED).orElseThrow().getLastTransitionTime()
            : job.getMetadata().getCreationTimestamp();
    return Optional.ofNullable(start)
        .map(time -> OffsetDateTime.parse(time).toInstant())
        .filter(time -> seconds <= Instant.MAX.getEpochSecond() - time.getEpochSecond())
        .map(time -> time.plusSeconds(seconds));
  }

  private static boolean hasNoPods(JobSet jobSet) {
    return jobSet.getSpec().replicatedJobs() != null
        && jobSet.getSpec().replicatedJobs().stream()
            .map(job -> job.template().getSpec().getParallelism())
            .allMatch(pods -> pods != null && pods == 0);
  }

  private static List<JobStatus> jobs(JobSet jobSet) {
    List<ReplicatedJobStatus> jobs =
        jobSet.getStatus() == null ? null : jobSet.getStatus().replicatedJobsStatus();
    return jobs == null
        ? null
        : jobs.stream()
            .map(
                job ->
                    new JobStatus(
                        job.name(),
                        count(job.ready()),
                        count(job.succeeded()),
                        count(job.failed()),
                        count(job.active()),
                        count(job.suspended()),
                        null))
            .toList();
  }

  private static List<JobStatus> gone(List<JobStatus> jobs) {
    return jobs == null
        ? null
        : jobs.stream()
            .map(
                job ->
                    new JobStatus(
                        job.name(),
                        0,
                        job.succeeded(),
                        job.failed(),
                        0,
                        0,
                        job.additionalProperties()))
            .toList();
  }

  private static TrainJobStatus status(TrainJob job, Conditions conditions, List<JobStatus> jobs) {
    TrainJobStatus before = job.getStatus();
    if (before == null && conditions.all().isEmpty() && jobs == null) {
      return null;
    }
    return new TrainJobStatus(
        conditions.all().isEmpty() ? null : conditions.all(),
        jobs,
        before == null ? null : before.trainerStatus(),
        before == null ? null : before.additionalProperties());
  }

  private static Conditions conditions(TrainJob job) {
    return new Conditions(job.getStatus() == null ? null : job.getStatus().conditions());
  }

  private static int count(Integer jobs) {
    return jobs == null ? 0 : jobs;
  }
}
