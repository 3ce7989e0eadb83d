package dev.waymark.client;

import dev.waymark.trainer.api.RuntimeRef;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobStatus.JobStatus;
import dev.waymark.trainer.api.TrainerStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;

/**
 * A TrainJob with all that is known about it at one moment.
 *
 * @param state how far it is
 * @param reason why it is so, for people: why it failed, what its pods wait for, whose queue it
 *     stands in; empty if there is nothing to say
 * @param numNodes nodes that it asks for, at least 1
 * @param device what one of its nodes computes on: what its first node was given, or else what it
 *     or its runtime asks for
 * @param runtime what it runs in, or null when that is gone, may not be read, or was left unread
 *     ({@link ListOptions#withoutRuntimes})
 * @param steps its pods: initializers first, then the nodes by number; empty while it has none, and
 *     where pods may not be read
 * @param resource the TrainJob itself, without managedFields
 */
public record Training(
    TrainingState state,
    String reason,
    int numNodes,
    Device device,
    TrainerRuntime runtime,
    List<Step> steps,
    TrainJob resource) {

  public Training {
    steps = List.copyOf(steps);
  }

  public String name() {
    return resource.name();
  }

  public String namespace() {
    return resource.getMetadata().getNamespace();
  }

  /** What the TrainJob calls its runtime; it need not exist any more. */
  public String runtimeName() {
    RuntimeRef ref = resource.getSpec().runtimeRef();
    return ref == null || ref.name() == null ? "" : ref.name();
  }

  /** When it was made; empty for one that a cluster hasn't seen. */
  public Optional<Instant> created() {
    return Optional.ofNullable(resource.getMetadata().getCreationTimestamp())
        .map(time -> OffsetDateTime.parse(time).toInstant());
  }

  /** What the training program last said about its progress. */
  public Optional<TrainerStatus> trainerStatus() {
    return Optional.ofNullable(resource.getStatus()).map(status -> status.trainerStatus());
  }

  /** As the cluster keeps them; may be empty. */
  public List<Condition> conditions() {
    return TrainingReader.conditions(resource);
  }

  /** Counts of its jobs' states; may be empty. */
  public List<JobStatus> jobsStatus() {
    return TrainingReader.jobs(resource);
  }

  /** Whether it is to have no pods now. */
  public boolean isSuspended() {
    return resource.isSuspended();
  }
}
