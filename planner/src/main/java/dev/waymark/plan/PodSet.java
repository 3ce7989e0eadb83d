package dev.waymark.plan;

import dev.waymark.trainer.api.ReplicatedJob;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
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
 * <p>What a plan changes is kept beside the template until somebody asks for the whole, because
 * fabric8's builders copy all of a template for each change, and a plan makes half a dozen.
 */
public final class PodSet {

  private final ReplicatedJob base;
  private final Changes changes;
  private final int count;

  /** The base with the changes in it, once somebody has asked. */
  private ReplicatedJob whole;

  /**
   * What is not as the base has it; null: all is.
   *
   * @param countInTemplate the number of pods that the template is to say
   */
  private record Changes(
      List<Container> containers,
      List<Container> initContainers,
      List<Volume> volumes,
      Integer countInTemplate) {

    static final Changes NONE = new Changes(null, null, null, null);
  }

  /**
   * Pods as a template has them.
   *
   * @param job the replicated job; its template is not null
   * @param count pods in each of the job's replicas, at least 0
   */
  public PodSet(ReplicatedJob job, int count) {
    this(job, Changes.NONE, count);
  }

  private PodSet(ReplicatedJob base, Changes changes, int count) {
    this.base = base;
    this.changes = changes;
    this.count = count;
  }

  /** Whether a job has what a pod set needs: a template with a pod spec in it. */
  static boolean hasPodSpec(ReplicatedJob job) {
    return job.template() != null
        && job.template().getSpec() != null
        && job.template().getSpec().getTemplate() != null
        && job.template().getSpec().getTemplate().getSpec() != null;
  }

  /** The replicated job; its template is never null. */
  public ReplicatedJob job() {
    if (whole == null) {
      whole = changes == Changes.NONE ? base : withChanges();
    }
    return whole;
  }

  private ReplicatedJob withChanges() {
    JobTemplateSpec template = new JobTemplateSpecBuilder(base.template()).build();
    JobSpec spec = template.getSpec();
    PodSpec pods = spec.getTemplate().getSpec();
    pods.setContainers(containers());
    pods.setInitContainers(initContainers());
    pods.setVolumes(volumes());
    if (changes.countInTemplate != null) {
      spec.setParallelism(changes.countInTemplate);
      spec.setCompletions(changes.countInTemplate);
    }
    return with(base.replicas(), template);
  }

  /** Pods in each of the job's replicas, at least 0. */
  public int count() {
    return count;
  }

  /** Name of the replicated job. */
  public String name() {
    return base.name();
  }

  /** Jobs that are made from the template, at least 1. */
  public int replicas() {
    return base.replicas() == null ? 1 : base.replicas();
  }

  /** Which step of a TrainJob runs here, such as {@link TrainerApi#ANCESTOR_TRAINER}; or null. */
  public String ancestor() {
    return base.template().getMetadata() == null
        ? null
        : base.template().getMetadata().getLabels().get(TrainerApi.ANCESTOR_LABEL);
  }

  /** Whether the training itself runs here. */
  public boolean isTrainer() {
    return TrainerApi.ANCESTOR_TRAINER.equals(ancestor());
  }

  /** What runs in each pod: containers, init containers, volumes. */
  public PodSpec podSpec() {
    return podSpec(job());
  }

  private static PodSpec podSpec(ReplicatedJob job) {
    return job.template().getSpec().getTemplate().getSpec();
  }

  /** A regular container, by name. */
  public Optional<Container> container(String name) {
    return named(containers(), name);
  }

  /** An init container, by name. */
  public Optional<Container> initContainer(String name) {
    return named(initContainers(), name);
  }

  private List<Container> containers() {
    return changes.containers == null ? podSpec(base).getContainers() : changes.containers;
  }

  private List<Container> initContainers() {
    return changes.initContainers == null
        ? podSpec(base).getInitContainers()
        : changes.initContainers;
  }

  private List<Volume> volumes() {
    return changes.volumes == null ? podSpec(base).getVolumes() : changes.volumes;
  }

  PodSet withCount(int count) {
    return new PodSet(base, changes, count);
  }

  PodSet withReplicas(int replicas) {
    return new PodSet(with(replicas, base.template()), changes, count);
  }

  private ReplicatedJob with(Integer replicas, JobTemplateSpec template) {
    return new ReplicatedJob(
        base.name(),
        base.groupName(),
        replicas,
        template,
        base.dependsOn(),
        base.additionalProperties());
  }

  /** Changes a regular container; without one of that name nothing happens. */
  PodSet withContainer(String name, UnaryOperator<Container> change) {
    return withContainers(only(name, change));
  }

  /** Changes all regular containers. */
  PodSet withContainers(UnaryOperator<Container> change) {
    List<Container> changed = new ArrayList<>(containers());
    changed.replaceAll(change);
    return with(
        new Changes(changed, changes.initContainers, changes.volumes, changes.countInTemplate));
  }

  /** Changes an init container; without one of that name nothing happens. */
  PodSet withInitContainer(String name, UnaryOperator<Container> change) {
    List<Container> changed = new ArrayList<>(initContainers());
    changed.replaceAll(only(name, change));
    return withInitContainers(changed);
  }

  /** Puts an init container in, by name; a new one goes behind the others. */
  PodSet withAddedInitContainer(Container container) {
    List<Container> all = new ArrayList<>(initContainers());
    ContainerEdits.upsert(all, container, it -> container.getName().equals(it.getName()));
    return withInitContainers(all);
  }

  private PodSet withInitContainers(List<Container> all) {
    return with(new Changes(changes.containers, all, changes.volumes, changes.countInTemplate));
  }

  /** Puts a volume in, by name. */
  PodSet withVolume(Volume volume) {
    List<Volume> all = new ArrayList<>(volumes());
    ContainerEdits.upsert(all, volume, it -> volume.getName().equals(it.getName()));
    return with(
        new Changes(changes.containers, changes.initContainers, all, changes.countInTemplate));
  }

  /** Writes the count where a Job keeps it, over whatever the runtime said there. */
  PodSet withCountInTemplate() {
    return with(new Changes(changes.containers, changes.initContainers, changes.volumes, count));
  }

  private PodSet with(Changes changes) {
    return new PodSet(base, changes, count);
  }

  private static Optional<Container> named(List<Container> containers, String name) {
    return containers.stream().filter(container -> name.equals(container.getName())).findFirst();
  }

  private static UnaryOperator<Container> only(String name, UnaryOperator<Container> change) {
    return container -> name.equals(container.getName()) ? change.apply(container) : container;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PodSet that && count == that.count && job().equals(that.job());
  }

  @Override
  public int hashCode() {
    return 31 * job().hashCode() + count;
  }

  @Override
  public String toString() {
    return "PodSet[job=" + job() + ", count=" + count + "]";
  }
}
