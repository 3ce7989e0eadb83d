package dev.waymark.plan;

import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.JobSetSpec;
import dev.waymark.trainer.api.ReplicatedJob;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.JobTemplateSpecBuilder;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A JobSet that exists is never rendered anew. Most of its template can't change any more, and
 * another version of this project, another setting or an upstream controller may have rendered it
 * differently: a new rendering would be refused, and the TrainJob would never resume.
 */
public final class StoredJobSet {

  /**
   * Its metadata is there, so that pods with labels and pods without any are the same but for them.
   */
  private static final PodTemplateSpec NOTHING =
      new PodTemplateSpecBuilder().withNewMetadata().endMetadata().build();

  /**
   * What to apply over a stored JobSet: the stored template, with what JobSet 0.12 lets change
   * while it is suspended taken from a new rendering. That is {@code suspend}, and of each job's
   * pods the labels, annotations, node selector, tolerations and scheduling gates.
   *
   * <p>An apply also takes away what an earlier one named in the JobSet's metadata and this one
   * doesn't. The stored JobSet doesn't tell whether there is such a thing, so it is tried once.
   *
   * @param ofOthers what of the stored metadata an apply has left there, by {@link #surplus}; empty
   *     while none was made
   * @return empty if there is nothing to change; a JobSet that runs and is to run is left alone
   */
  public static Optional<JobSet> update(JobSet stored, JobSet rendered, Set<String> ofOthers) {
    if (!stored.isSuspended() && !rendered.isSuspended()) {
      return Optional.empty();
    }
    JobSet updated = new JobSet();
    updated.setMetadata(new ObjectMetaBuilder(rendered.getMetadata()).build());
    updated.setSpec(update(stored.getSpec(), rendered.getSpec()));
    return saysNothingNew(stored, updated, ofOthers) ? Optional.empty() : Optional.of(updated);
  }

  /**
   * The labels and annotations of a JobSet that a rendering doesn't name: of somebody else, or of
   * an earlier rendering.
   *
   * @return a text for each
   */
  public static Set<String> surplus(JobSet stored, JobSet rendered) {
    ObjectMeta there = stored.getMetadata();
    ObjectMeta named = rendered.getMetadata();
    Set<String> surplus = new HashSet<>();
    there.getLabels().keySet().stream()
        .filter(key -> !named.getLabels().containsKey(key))
        .forEach(key -> surplus.add("label " + key));
    there.getAnnotations().keySet().stream()
        .filter(key -> !named.getAnnotations().containsKey(key))
        .forEach(key -> surplus.add("annotation " + key));
    return surplus;
  }

  /** A rendering without all that can change in a stored JobSet. */
  static JobSetSpec fixedPart(JobSetSpec rendered) {
    return rendered.with(
        rendered.replicatedJobs().stream()
            .map(job -> withTemplate(job, take(job.template(), NOTHING)))
            .toList(),
        null);
  }

  private static JobSetSpec update(JobSetSpec stored, JobSetSpec rendered) {
    return stored.with(
        stored.replicatedJobs() == null
            ? null
            : stored.replicatedJobs().stream().map(job -> update(job, rendered)).toList(),
        rendered.suspend());
  }

  private static ReplicatedJob update(ReplicatedJob stored, JobSetSpec rendered) {
    return rendered.replicatedJobs().stream()
        .filter(job -> job.name().equals(stored.name()))
        .filter(job -> PodSet.hasPodSpec(job) && PodSet.hasPodSpec(stored))
        .findFirst()
        .map(job -> take(stored.template(), job.template().getSpec().getTemplate()))
        .map(template -> withTemplate(stored, template))
        .orElse(stored);
  }

  /** A template with the changeable part of its pods from elsewhere. */
  private static JobTemplateSpec take(JobTemplateSpec template, PodTemplateSpec from) {
    PodTemplateSpec pods = template.getSpec().getTemplate();
    PodSpec changeable = from.getSpec() == null ? new PodSpec() : from.getSpec();
    PodSpec spec =
        new PodSpecBuilder(pods.getSpec())
            .withNodeSelector(changeable.getNodeSelector())
            .withTolerations(changeable.getTolerations())
            .withSchedulingGates(changeable.getSchedulingGates())
            .build();
    return new JobTemplateSpecBuilder(template)
        .editSpec()
        .editTemplate()
        .withMetadata(take(pods.getMetadata(), from.getMetadata()))
        .withSpec(spec)
        .endTemplate()
        .endSpec()
        .build();
  }

  private static ObjectMeta take(ObjectMeta metadata, ObjectMeta from) {
    if (metadata == null && from == null) {
      return null;
    }
    ObjectMeta changeable = from == null ? new ObjectMeta() : from;
    ObjectMetaBuilder taken =
        metadata == null ? new ObjectMetaBuilder() : new ObjectMetaBuilder(metadata);
    return taken
        .withLabels(changeable.getLabels())
        .withAnnotations(changeable.getAnnotations())
        .build();
  }

  private static ReplicatedJob withTemplate(ReplicatedJob job, JobTemplateSpec template) {
    return new ReplicatedJob(
        job.name(),
        job.groupName(),
        job.replicas(),
        template,
        job.dependsOn(),
        job.additionalProperties());
  }

  private static boolean saysNothingNew(JobSet stored, JobSet updated, Set<String> ofOthers) {
    ObjectMeta before = stored.getMetadata();
    ObjectMeta after = updated.getMetadata();
    return stored.isSuspended() == updated.isSuspended()
        && Objects.equals(stored.getSpec().replicatedJobs(), updated.getSpec().replicatedJobs())
        && before.getLabels().entrySet().containsAll(after.getLabels().entrySet())
        && before.getAnnotations().entrySet().containsAll(after.getAnnotations().entrySet())
        && ofOthers.containsAll(surplus(stored, updated));
  }

  private StoredJobSet() {}
}
