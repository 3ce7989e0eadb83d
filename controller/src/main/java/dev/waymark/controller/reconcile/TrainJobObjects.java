package dev.waymark.controller.reconcile;

import dev.waymark.controller.kubernetes.ResourcePath;
import dev.waymark.plan.ClusterSettings;
import dev.waymark.plan.InvalidSnapshotException;
import dev.waymark.plan.PlanRefusedException;
import dev.waymark.plan.PlanWarning;
import dev.waymark.plan.Planner;
import dev.waymark.plan.RenderedObjects;
import dev.waymark.plan.Renderer;
import dev.waymark.plan.RuntimePlan;
import dev.waymark.plan.SshKeyPair;
import dev.waymark.plan.SshSecret;
import dev.waymark.plan.StoredJobSet;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.Owners;
import dev.waymark.trainer.api.TrainJob;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Makes the objects of TrainJobs that have not finished, and keeps them as they should be: the
 * snapshot of the runtime first, since all else is planned from it, then what pods mount, then the
 * JobSet. Safe for every thread; one TrainJob by one thread at a time.
 */
final class TrainJobObjects {

  /** An object in the place of one of the TrainJob's that isn't the TrainJob's. */
  static final class NameTakenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NameTakenException(HasMetadata object) {
      super(
          object.getKind()
              + " "
              + object.getMetadata().getName()
              + " is there already and belongs to "
              + Owners.controller(object)
                  .map(owner -> owner.getKind() + " " + owner.getName() + " " + owner.getUid())
                  .orElse("nobody")
              + ": delete it, or give the TrainJob another name");
    }
  }

  /** No plan can be made of a TrainJob whose JobSet is there, so the JobSet stays what it is. */
  static final class KeptAsStoredException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    KeptAsStoredException(JobSet jobSet, RuntimeException cause) {
      super(
          cause.getMessage()
              + "; JobSet "
              + jobSet.name()
              + " stays as it is, and only suspending and resuming reach it",
          cause);
    }
  }

  /** What was planned beside a running JobSet, with the settings that it was planned for. */
  private record Planned(
      ClusterSettings settings, List<ConfigMap> configMaps, List<SshSecret> sshSecrets) {}

  private final Caches caches;
  private final RuntimeSource runtimes;
  private final Writes writes;
  private final Supplier<ClusterSettings> settings;
  private final SecureRandom random = new SecureRandom();
  private final Map<String, Planned> running = new ConcurrentHashMap<>();

  /** By {@link StoredJobSet#surplus}, of JobSets that were updated. */
  private final Map<String, Set<String>> ofOthers = new ConcurrentHashMap<>();

  /**
   * Makes objects.
   *
   * @param settings what the cluster adds to a plan; throws when that isn't known yet
   */
  TrainJobObjects(
      Caches caches, RuntimeSource runtimes, Writes writes, Supplier<ClusterSettings> settings) {
    this.caches = caches;
    this.runtimes = runtimes;
    this.writes = writes;
    this.settings = settings;
  }

  /**
   * Brings the objects of a TrainJob to where they should be; throws with the first that fails.
   *
   * @return what the TrainJob asks for in vain, told when its JobSet is made and never again
   * @throws KeptAsStoredException when its JobSet is there, and none can be planned today
   */
  List<PlanWarning> ensure(TrainJob trainJob) {
    Optional<JobSet> stored = stored(trainJob);
    try {
      return ensureAsPlanned(trainJob, stored);
    } catch (RuntimeException failure) {
      Optional<JobSet> own = stored.filter(trainJob::owns);
      if (own.isEmpty()) {
        throw failure;
      }
      boolean keep = isBeyondRepair(failure);
      // A training can always be stopped. It is resumed where no plan can be made, because then
      // admission takes no other change either; where none can be made just now it waits, because
      // a queue may have said in a patch where it may run.
      if (keep || trainJob.isSuspended()) {
        suspendOrResume(own.get(), trainJob.isSuspended());
      }
      if (keep) {
        refreshAuthorities(trainJob);
      }
      throw keep ? new KeptAsStoredException(own.get(), failure) : failure;
    }
  }

  private List<PlanWarning> ensureAsPlanned(TrainJob trainJob, Optional<JobSet> stored) {
    ClusterSettings current = settings.get();
    boolean isRunning =
        stored.filter(it -> trainJob.owns(it) && !it.isSuspended()).isPresent()
            && !trainJob.isSuspended();
    Planned known = running.get(trainJob.getMetadata().getUid());
    if (isRunning
        && known != null
        && known.settings().equals(current)
        && runtimes.hasSnapshot(trainJob)) {
      ensureHelpers(trainJob, known);
      return List.of();
    }

    RuntimeSource.Resolved resolved = runtimes.resolve(trainJob, stored.isPresent());
    resolved.newSnapshot().ifPresent(it -> applyConfigMap("runtime-snapshots", it));
    RuntimePlan plan = Planner.planAdmitted(trainJob, resolved.runtime(), current);
    RenderedObjects rendered = Renderer.render(plan, trainJob);
    Planned planned = new Planned(current, rendered.configMaps(), rendered.sshSecrets());
    ensureHelpers(trainJob, planned);
    running.put(trainJob.getMetadata().getUid(), planned);
    if (stored.isEmpty()) {
      applyJobSet(rendered.jobSet());
      return plan.warnings();
    } else if (!trainJob.owns(stored.get())) {
      throw new NameTakenException(stored.get());
    } else if (!isRunning) {
      update(trainJob, stored.get(), rendered.jobSet());
    }
    return List.of();
  }

  /** What an apply leaves of the metadata isn't ours, and needs no other one. */
  private void update(TrainJob trainJob, JobSet stored, JobSet rendered) {
    String uid = trainJob.getMetadata().getUid();
    StoredJobSet.update(stored, rendered, ofOthers.getOrDefault(uid, Set.of()))
        .map(this::applyJobSet)
        .ifPresent(applied -> ofOthers.put(uid, StoredJobSet.surplus(applied, rendered)));
  }

  /**
   * The JobSet of the TrainJob's name, whoever owns it. One that the cache doesn't have may be
   * there all the same, most of all when this replica has just taken over from another; applied
   * blindly, a new rendering would change it.
   */
  private Optional<JobSet> stored(TrainJob trainJob) {
    Optional<JobSet> cached = caches.jobSet(trainJob);
    if (cached.isPresent()) {
      return cached;
    }
    Optional<JobSet> live =
        writes.find(
            jobSetPath(trainJob.getMetadata().getNamespace(), trainJob.name()), JobSet.class);
    live.ifPresent(caches::remember);
    return live;
  }

  /** Whether no plan can be made until somebody changes what it would be made of. */
  private static boolean isBeyondRepair(RuntimeException failure) {
    return failure instanceof PlanRefusedException
        || failure instanceof InvalidSnapshotException
        || failure instanceof RuntimeSource.NoRuntimeException
        || failure instanceof RuntimeSource.UnsupportedRuntimeException;
  }

  /** Touches nothing else, so that nothing else can be wrong with it. */
  private void suspendOrResume(JobSet stored, boolean suspend) {
    if (stored.isSuspended() != suspend) {
      Map<String, Object> fields =
          Map.of(
              "metadata",
              Map.of("uid", stored.getMetadata().getUid()),
              "spec",
              Map.of("suspend", suspend));
      caches.remember(
          writes.merge(
              "jobsets",
              jobSetPath(stored.getMetadata().getNamespace(), stored.name()),
              fields,
              JobSet.class));
    }
  }

  /** Its pods report on, and a new authority needs no plan. None is given to pods without. */
  private void refreshAuthorities(TrainJob trainJob) {
    Renderer.authorities(trainJob, settings.get())
        .filter(copy -> cached(copy).filter(trainJob::owns).isPresent())
        .ifPresent(copy -> ensureConfigMap(trainJob, copy));
  }

  /** Lets go of what was remembered of a TrainJob. */
  void forget(TrainJob trainJob) {
    running.remove(trainJob.getMetadata().getUid());
    ofOthers.remove(trainJob.getMetadata().getUid());
  }

  private void ensureHelpers(TrainJob trainJob, Planned planned) {
    for (ConfigMap configMap : planned.configMaps()) {
      ensureConfigMap(trainJob, configMap);
    }
    planned.sshSecrets().forEach(secret -> ensureSshKeys(trainJob, secret));
  }

  /**
   * Keys that are there are kept. Those that somebody has put there for the TrainJob are taken, as
   * upstream takes them; those of an earlier TrainJob of its name go with that one, and a pod must
   * not start with them.
   */
  private void ensureSshKeys(TrainJob trainJob, SshSecret planned) {
    Optional<Secret> there = caches.sshKeys(trainJob.getMetadata().getNamespace(), planned.name());
    if (there.isEmpty()) {
      Secret keys = planned.with(SshKeyPair.generate(random));
      caches.remember(writes.apply("ssh-keys", path("secrets", keys), keys, Secret.class));
    } else if (Owners.controller(there.get()).isPresent() && !trainJob.owns(there.get())) {
      throw new NameTakenException(there.get());
    }
  }

  private void ensureConfigMap(TrainJob trainJob, ConfigMap planned) {
    boolean asPlanned =
        cached(planned)
            .filter(trainJob::owns)
            .map(Fingerprint::of)
            .filter(Fingerprint.of(planned)::equals)
            .isPresent();
    if (!asPlanned) {
      String name = planned.getMetadata().getName();
      applyConfigMap("configmaps" + name.substring(trainJob.name().length()), planned);
    }
  }

  private Optional<ConfigMap> cached(ConfigMap configMap) {
    return caches.configMap(
        configMap.getMetadata().getNamespace(), configMap.getMetadata().getName());
  }

  /** What it holds is known, and may be long. */
  private void applyConfigMap(String kind, ConfigMap configMap) {
    ConfigMap applied = new ConfigMap();
    applied.setMetadata(writes.applyForMetadata(kind, path("configmaps", configMap), configMap));
    applied.setData(configMap.getData());
    caches.remember(applied);
  }

  private JobSet applyJobSet(JobSet jobSet) {
    JobSet applied = writes.apply("jobsets", path("jobsets", jobSet), jobSet, JobSet.class);
    caches.remember(applied);
    return applied;
  }

  private static ResourcePath jobSetPath(String namespace, String name) {
    return ResourcePath.of(JobSet.GROUP + "/" + JobSet.VERSION, "jobsets", namespace, name);
  }

  private static ResourcePath path(String plural, HasMetadata object) {
    return ResourcePath.of(
        object.getApiVersion(),
        plural,
        object.getMetadata().getNamespace(),
        object.getMetadata().getName());
  }
}
