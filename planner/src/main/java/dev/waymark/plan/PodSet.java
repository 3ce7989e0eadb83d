package dev.waymark.plan;

import dev.waymark.trainer.api.ReplicatedJob;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.batch.v1.JobTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.JobTemplateSpecBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The pods of one replicated job: a template, and how many pods are made from it. A value: its
 * methods return changed copies, and nobody changes the fabric8 objects inside.
 *
 * @param job the replicated job; its template is never null
 * @param count pods in each of the job's replicas, at least 0
 */
public record PodSet(ReplicatedJob job, int count) {

  /** Whether a job has what a pod set needs: a template with a pod spec in it. */
  static boolean hasPodSpec(ReplicatedJob job) {
    return job.template() != null
        && job.template().getSpec() != null
        && job.template().getSpec().getTemplate() != null
        && job.template().getSpec().getTemplate().getSpec() != null;
  }

  /** Name of the replicated job. */
  public String name() {
    return job.name();
  }

  /** Jobs that are made from the template, at least 1. */
  public int replicas() {
    return job.replicas() == null ? 1 : job.replicas();
  }

  /** Which step of a TrainJob runs here, such as {@link TrainerApi#ANCESTOR_TRAINER}; or null. */
  public String ancestor() {
    return job.template().getMetadata() == null
        ? null
        : job.template().getMetadata().getLabels().get(TrainerApi.ANCESTOR_LABEL);
  }

  /** Whether the training itself runs here. */
  public boolean isTrainer() {
    return TrainerApi.ANCESTOR_TRAINER.equals(ancestor());
  }

  /** What runs in each pod: containers, init containers, volumes. */
  public PodSpec podSpec() {
    return job.template().getSpec().getTemplate().getSpec();
  }

  /** A regular container, by name. */
  public Optional<Container> container(String name) {
    return named(podSpec().getContainers(), name);
  }

  /** An init container, by name. */
  public Optional<Container> initContainer(String name) {
    return named(podSpec().getInitContainers(), name);
  }

  PodSet withCount(int count) {
    return new PodSet(job, count);
  }

  PodSet withReplicas(int replicas) {
    return new PodSet(
        new ReplicatedJob(
            job.name(),
            job.groupName(),
            replicas,
            job.template(),
            job.dependsOn(),
            job.additionalProperties()),
        count);
  }

  /** Changes a regular container; without one of that name nothing happens. */
  PodSet withContainer(String name, UnaryOperator<Container> change) {
    return withContainers(only(name, change));
  }

  /** Changes all regular containers. */
  PodSet withContainers(UnaryOperator<Container> change) {
    List<Container> changed = new ArrayList<>(podSpec().getContainers());
    changed.replaceAll(change);
    return withPodSpec(pod -> pod.withContainers(changed));
  }

  /** Changes an init container; without one of that name nothing happens. */
  PodSet withInitContainer(String name, UnaryOperator<Container> change) {
    List<Container> changed = new ArrayList<>(podSpec().getInitContainers());
    changed.replaceAll(only(name, change));
    return withPodSpec(pod -> pod.withInitContainers(changed));
  }

  /** Puts an init container in, by name; a new one goes behind the others. */
  PodSet withAddedInitContainer(Container container) {
    List<Container> all = new ArrayList<>(podSpec().getInitContainers());
    ContainerEdits.upsert(all, container, it -> container.getName().equals(it.getName()));
    return withPodSpec(pod -> pod.withInitContainers(all));
  }

  /** Puts a volume in, by name. */
  PodSet withVolume(Volume volume) {
    List<Volume> all = new ArrayList<>(podSpec().getVolumes());
    ContainerEdits.upsert(all, volume, it -> volume.getName().equals(it.getName()));
    return withPodSpec(pod -> pod.withVolumes(all));
  }

  /** Writes the count where a Job keeps it, over whatever the runtime said there. */
  PodSet withCountInTemplate() {
    return withTemplate(
        new JobTemplateSpecBuilder(job.template())
            .editSpec()
            .withParallelism(count)
            .withCompletions(count)
            .endSpec()
            .build());
  }

  private PodSet withPodSpec(UnaryOperator<PodSpecBuilder> change) {
    PodSpec changed = change.apply(new PodSpecBuilder(podSpec())).build();
    return withTemplate(
        new JobTemplateSpecBuilder(job.template())
            .editSpec()
            .editTemplate()
            .withSpec(changed)
            .endTemplate()
            .endSpec()
            .build());
  }

  private PodSet withTemplate(JobTemplateSpec template) {
    return new PodSet(
        new ReplicatedJob(
            job.name(),
            job.groupName(),
            job.replicas(),
            template,
            job.dependsOn(),
            job.additionalProperties()),
        count);
  }

  private static Optional<Container> named(List<Container> containers, String name) {
    return containers.stream().filter(container -> name.equals(container.getName())).findFirst();
  }

  private static UnaryOperator<Container> only(String name, UnaryOperator<Container> change) {
    return container -> name.equals(container.getName()) ? change.apply(container) : container;
  }
}
