package dev.waymark.client;

import dev.waymark.trainer.api.FieldProblem;
import dev.waymark.trainer.api.RuntimeRef;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerJson;
import dev.waymark.trainer.api.TrainerStatus;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Submits TrainJobs to a cluster with Kubeflow's Trainer API, whoever's controller runs there, and
 * tells how far they are. What it can do, and how it decides, follows the Kubeflow SDK for Python
 * 0.5.0; where that is known to be wrong, this is right.
 *
 * <p>Every call may throw a {@link TrainerException}; each of its kinds is documented there. A call
 * that waits is ended by an interrupt. Safe for every thread. It keeps connections and threads:
 * make one for a program, and close it.
 */
public final class TrainerClient implements AutoCloseable {

  private final Cluster cluster;
  private final String namespace;
  private final DeviceMap devices;
  private final Duration callTimeout;
  private final Trainings trainings;
  private final SecureRandom random = new SecureRandom();

  private TrainerClient(
      Cluster cluster, String namespace, DeviceMap devices, Duration callTimeout) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.devices = devices;
    this.callTimeout = callTimeout;
    this.trainings = new Trainings(cluster, devices);
  }

  /** A client for the cluster that kubectl would talk to. */
  public static TrainerClient connect() {
    return connect(ClusterAccess.standard());
  }

  /**
   * A client for a cluster. It isn't asked anything yet.
   *
   * @throws TrainerException.Invalid if the kubeconfig can't be read, or lacks the context
   * @throws TrainerException.Unreachable if no cluster is configured
   */
  public static TrainerClient connect(ClusterAccess access) {
    Cluster cluster = Cluster.connect(access);
    return new TrainerClient(
        cluster, cluster.namespace(), DeviceMap.standard(), access.callTimeout());
  }

  /**
   * Begins to load, in threads of its own, what every client needs until it has its first answer.
   * In a program that has just started that takes longer than the answer: one that has something
   * else to do before it connects calls this first. Nothing is read and nobody is asked. Returns at
   * once, and never fails: what is wrong is told where it is needed.
   */
  public static void warmUp() {
    WarmUp.begin();
  }

  /**
   * The same connections, for another namespace. Closing either closes both.
   *
   * @throws TrainerException.Invalid if no namespace can have that name
   */
  public TrainerClient inNamespace(String namespace) {
    return new TrainerClient(
        cluster, ObjectNames.checked("Namespace", namespace), devices, callTimeout);
  }

  /** The same connections, with other devices. Closing either closes both. */
  public TrainerClient withDevices(DeviceMap devices) {
    return new TrainerClient(cluster, namespace, devices, callTimeout);
  }

  /** Where its TrainJobs are. */
  public String namespace() {
    return namespace;
  }

  /** Which cluster, as people call it: the kubeconfig's context, or else the server's address. */
  public String clusterName() {
    return cluster.name();
  }

  /** The runtimes that a TrainJob can name here, of both kinds, and why others can't be used. */
  public Listing<TrainerRuntime> runtimes() {
    return trainings.runtimes(namespace);
  }

  /** A runtime by its name; of two that share it, the namespace's own. */
  public TrainerRuntime runtime(String name) {
    return trainings.runtime(namespace, name);
  }

  /** A runtime of one kind. */
  public TrainerRuntime runtime(RuntimeKind kind, String name) {
    return trainings.runtime(kind, namespace, name);
  }

  /**
   * Looks into a runtime's image: starts a pod in it for a moment.
   *
   * @param limit for all of it
   * @return lines that tell its Java, its Python and packages, and the accelerators that it sees
   * @throws TrainerException.Invalid for a runtime that runs no programs of its users
   * @throws TrainerException.TimedOut if the pod doesn't run in time; the message says why
   */
  public List<String> describeRuntime(String name, Duration limit) throws InterruptedException {
    try (RuntimeProbe probe =
        new RuntimeProbe(train(name, RuntimeProbe.TRAINER, null, TrainOptions.none()))) {
      return probe.lines(limit);
    }
  }

  /**
   * Submits a TrainJob.
   *
   * @param runtime name of the runtime
   * @param trainer what to run, or null for what the runtime has
   * @param initializer what to fetch first, or null for nothing
   * @throws TrainerException.Invalid with all that is wrong with it
   * @throws TrainerException.Conflict if there is one of its name
   */
  public TrainJobHandle train(
      String runtime, CustomTrainer trainer, JobInitializer initializer, TrainOptions options) {
    return submit(prepare(runtime, trainer, initializer, options));
  }

  /**
   * Like the other, with a runtime that was read already: of two that share a name it may be the
   * cluster's.
   */
  public TrainJobHandle train(
      TrainerRuntime runtime,
      CustomTrainer trainer,
      JobInitializer initializer,
      TrainOptions options) {
    return submit(prepare(runtime, trainer, initializer, options));
  }

  /** The TrainJob that {@link #train} would submit, checked in the same way. */
  public Submission prepare(
      String runtime, CustomTrainer trainer, JobInitializer initializer, TrainOptions options) {
    return prepare(runtime(runtime), trainer, initializer, options);
  }

  /** The same with a runtime that was read already. */
  public Submission prepare(
      TrainerRuntime runtime,
      CustomTrainer trainer,
      JobInitializer initializer,
      TrainOptions options) {
    return TrainJobDraft.write(
        runtime, trainer, initializer, options, namespace, JobNames.random(random), devices);
  }

  /** Checks a TrainJob that is written already, against the runtime that it names. */
  public Submission prepare(TrainJob job) {
    RuntimeRef ref = job.getSpec() == null ? null : job.getSpec().runtimeRef();
    if (ref == null || ref.name() == null) {
      throw new TrainerException.Invalid(
          job.title(),
          List.of(
              new FieldProblem(
                  "spec.runtimeRef.name", "is missing: name the runtime that it uses")));
    }
    if (job.getMetadata().getNamespace() == null) {
      job.getMetadata().setNamespace(namespace);
    }
    ObjectNames.checked("Namespace", job.getMetadata().getNamespace());
    RuntimeKind kind =
        ref.effectiveKind().equals(RuntimeKind.TRAINING_RUNTIME.kind())
            ? RuntimeKind.TRAINING_RUNTIME
            : RuntimeKind.CLUSTER_TRAINING_RUNTIME;
    return TrainJobDraft.check(
        job, trainings.runtime(kind, job.getMetadata().getNamespace(), ref.name()), devices);
  }

  /** Submits what was prepared. */
  public TrainJobHandle submit(Submission submission) {
    TrainJob job = submission.job();
    String where = job.getMetadata().getNamespace();
    TrainJob created =
        cluster.call(
            "create TrainJob " + job.name(),
            () ->
                cluster
                    .client()
                    .resources(TrainJob.class)
                    .inNamespace(where)
                    .resource(job)
                    .create());
    return new TrainJobHandle(
        where.equals(namespace) ? this : inNamespace(where),
        new Submission(created, submission.warnings()));
  }

  /** The namespace's TrainJobs. */
  public Listing<Training> list() {
    return list(ListOptions.standard());
  }

  /** TrainJobs, by namespace and name. What can't be read is told and hides none of the others. */
  public Listing<Training> list(ListOptions options) {
    return list(options, Function.identity());
  }

  /**
   * TrainJobs of which only a part is kept, for lists of thousands: they are read page by page.
   *
   * @param keep what is kept of each, not null
   * @return what was kept, by namespace and name of the TrainJobs
   */
  public <R> Listing<R> list(ListOptions options, Function<? super Training, ? extends R> keep) {
    return trainings.list(namespace, options, keep::apply);
  }

  /**
   * A TrainJob with its pods.
   *
   * @throws TrainerException.NotFound if there is none
   */
  public Training get(String name) {
    return trainings.training(namespace, name);
  }

  /**
   * Waits for a TrainJob.
   *
   * @return as it is then
   * @throws TrainerException.Failed as soon as it has ended in another way than is waited for
   * @throws TrainerException.TimedOut with the reason for which its pods don't run, if one is known
   * @throws TrainerException.NotFound if there is none, or it is deleted meanwhile
   */
  public Training await(String name, WaitOptions options) throws InterruptedException {
    long end = System.nanoTime() + options.timeout().toNanos();
    Training last = null;
    try (Changes<Training> changes = changesOf(name)) {
      while (true) {
        Training now = changes.next(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
        if (now == null) {
          throw new TrainerException.TimedOut(
              "TrainJob "
                  + name
                  + " is "
                  + described(last)
                  + " after "
                  + TimeText.of(options.timeout()),
              null);
        }
        last = now;
        options.onChange().accept(now);
        switch (WaitDecision.of(now.state(), options.states())) {
          case REACHED -> {
            return now;
          }
          case HOPELESS ->
              throw new TrainerException.Failed("TrainJob " + name + " is " + described(now), now);
          case GO_ON -> {}
        }
      }
    }
  }

  private static String described(Training training) {
    return training.state() + (training.reason().isEmpty() ? "" : " (" + training.reason() + ")");
  }

  /**
   * Tells of TrainJobs until it is told to stop: all of them now, and all of them again whenever
   * one has changed, at a pace that leaves the cluster in peace. A cluster that is away for a while
   * is waited for.
   *
   * @param goOn takes them on the caller's thread, and says whether to go on
   */
  public void watch(ListOptions options, Predicate<Listing<Training>> goOn)
      throws InterruptedException {
    watch(goOn, changesOfAll(options, Function.identity()));
  }

  /**
   * Tells what is kept of TrainJobs, whenever that has changed, until it is told to stop. Nothing
   * else of them stays in memory, however many there are.
   *
   * @param keep what is kept of each: a value, whose equality says whether it has changed; not null
   * @param goOn takes what was kept of all, by namespace and name, on the caller's thread, and says
   *     whether to go on
   */
  public <R> void watchKeeping(
      ListOptions options, Function<? super Training, ? extends R> keep, Predicate<Listing<R>> goOn)
      throws InterruptedException {
    watch(goOn, changesOfAll(options, keep));
  }

  /**
   * Like the other, and tells as well that the cluster is away: once it is back, {@code goOn} gets
   * all of them whether or not one has changed.
   *
   * @param away takes the reason of each attempt that failed, on the caller's thread
   */
  public <R> void watchKeeping(
      ListOptions options,
      Function<? super Training, ? extends R> keep,
      Predicate<Listing<R>> goOn,
      Consumer<TrainerException> away)
      throws InterruptedException {
    Changes<Listing<R>> all = changesOfAll(options, keep);
    watch(goOn, all.tellingFailures(away));
  }

  private static <R> void watch(Predicate<Listing<R>> goOn, Changes<Listing<R>> all)
      throws InterruptedException {
    try (all) {
      Listing<R> now;
      do {
        now = all.next(Duration.ofDays(36_500));
      } while (now != null && goOn.test(now));
    }
  }

  private <R> Changes<Listing<R>> changesOfAll(
      ListOptions options, Function<? super Training, ? extends R> keep) {
    String where = options.allNamespaces() ? null : namespace;
    return new Changes<Listing<R>>(() -> list(options, keep))
        .wokenBy(
            () -> cluster.trainJobs(where, options.selector()),
            () -> Cluster.version(cluster.trainJobs(where, options.selector())))
        .wokenBy(() -> cluster.pods(where, null), () -> Cluster.version(cluster.pods(where, null)));
  }

  /**
   * Takes a TrainJob away; one that isn't there is no error.
   *
   * @throws TrainerException.TimedOut if it is still there when patience ends
   */
  public void delete(String name, DeleteOptions options) throws InterruptedException {
    ObjectNames.checked("TrainJob", name);
    cluster.call(
        "delete TrainJob " + name,
        () ->
            cluster
                .client()
                .resources(TrainJob.class)
                .inNamespace(namespace)
                .withName(name)
                .withPropagationPolicy(options.dependents())
                .delete());
    if (!options.patience().isZero()) {
      awaitGone(name, options.patience());
    }
  }

  private void awaitGone(String name, Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    try (Changes<Training> changes = changesOf(name)) {
      while (changes.next(Duration.ofNanos(Math.max(0, end - System.nanoTime()))) != null) {
        // It is still there.
      }
    } catch (TrainerException.NotFound gone) {
      return;
    }
    throw new TrainerException.TimedOut(
        "TrainJob "
            + name
            + " is still there after "
            + TimeText.of(patience)
            + ": its finalizers hold it",
        null);
  }

  /** Takes a TrainJob's pods away, and keeps the TrainJob. */
  public Training suspend(String name) {
    return setSuspend(name, true);
  }

  /** Gives a suspended TrainJob its pods. One that a queue holds is suspended by it once more. */
  public Training resume(String name) {
    return setSuspend(name, false);
  }

  private Training setSuspend(String name, boolean suspend) {
    Training now = get(name);
    if (now.isSuspended() != suspend) {
      if (now.state().isFinal()) {
        throw new TrainerException.Failed(
            "TrainJob " + name + " is " + now.state() + ": nothing of it runs any more", now);
      }
      cluster.call(
          (suspend ? "suspend" : "resume") + " TrainJob " + name,
          () ->
              cluster
                  .client()
                  .resources(TrainJob.class)
                  .inNamespace(namespace)
                  .withName(name)
                  .patch(
                      PatchContext.of(PatchType.JSON_MERGE),
                      TrainerJson.write(Map.of("spec", Map.of("suspend", suspend)))));
      return get(name);
    }
    return now;
  }

  /**
   * Reads logs. Waits for a pod that isn't there yet; while following, goes on over connections
   * that are cut, containers that start again and pods that are made anew.
   *
   * @param lines takes them, never two at once, on threads of this client's
   * @throws TrainerException.TimedOut if a pod doesn't run in time; the message says why
   * @throws TrainerException.NotFound if there is no such TrainJob, step or log
   */
  public void logs(String name, LogOptions options, Consumer<LogLine> lines)
      throws InterruptedException {
    PodLogs.read(
        name,
        () -> changesOf(name),
        () -> get(name),
        (pod, container) -> new LogStream(cluster.client(), namespace, pod, container, callTimeout),
        options,
        lines);
  }

  /** Events of a TrainJob, its JobSet, Jobs and pods, the oldest first. */
  public List<TrainingEvent> events(String name) {
    return TrainingEvents.read(cluster, namespace, name);
  }

  /** What a training program last said; empty before it has said anything. */
  public Optional<TrainerStatus> progress(String name) {
    return Optional.ofNullable(cluster.trainJob(namespace, name).getStatus())
        .map(status -> status.trainerStatus());
  }

  /**
   * Tells what a training program says, from now until its TrainJob has ended: then completes, or
   * fails with {@link TrainerException.Failed}. A subscriber that is slow gets the newest and
   * misses those between.
   */
  public Flow.Publisher<TrainerStatus> watchProgress(String name) {
    return new ProgressPublisher(name, () -> changesOf(name));
  }

  /** What runs in the cluster, and whether TrainJobs can report their progress there. */
  public ClusterVersion version() {
    return new VersionProbe(cluster, namespace, systemNamespace()).probe();
  }

  /** Looks at all that TrainJobs need of the cluster: types, controllers, certificates, devices. */
  public List<Finding> diagnose() {
    return new Diagnosis(cluster, trainings, devices, namespace, systemNamespace(), this::version)
        .findings();
  }

  private static String systemNamespace() {
    return VersionProbe.systemNamespaceOf(System.getenv());
  }

  private Changes<Training> changesOf(String name) {
    return new Changes<>(() -> get(name))
        .wokenBy(
            () -> cluster.client().resources(TrainJob.class).inNamespace(namespace).withName(name))
        .wokenBy(() -> cluster.pods(namespace, name));
  }

  /** Ends its connections, and what waits on them. */
  @Override
  public void close() {
    cluster.close();
  }
}
