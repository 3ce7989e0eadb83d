package dev.waymark.controller.reconcile;

import dev.waymark.controller.kubernetes.ResourcePath;
import dev.waymark.plan.ClusterSettings;
import dev.waymark.plan.Planner;
import dev.waymark.plan.RenderedObjects;
import dev.waymark.plan.Renderer;
import dev.waymark.plan.RuntimePlan;
import dev.waymark.plan.RuntimeSnapshot;
import dev.waymark.plan.SshKeyPair;
import dev.waymark.plan.SshSecret;
import dev.waymark.plan.StoredJobSet;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.TrainJob;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Makes the objects of TrainJobs that have not finished, and keeps them as they should be: the
 * snapshot of the runtime first, since all else is planned from it, then what pods mount, then the
 * JobSet. Safe for every thread; one TrainJob by one thread at a time.
 */
final class TrainJobObjects {

  /** A JobSet of the TrainJob's name that isn't the TrainJob's. */
  static final class NameTakenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NameTakenException(JobSet jobSet) {
      super(
          "JobSet "
              + jobSet.name()
              + " is there already and belongs to "
              + Owners.controller(jobSet)
                  .map(owner -> owner.getKind() + " " + owner.getName() + " " + owner.getUid())
                  .orElse("nobody")
              + ": delete it, or give the TrainJob another name");
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

  /** Brings the objects of a TrainJob to where they should be; throws with the first that fails. */
  void ensure(TrainJob trainJob) {
    Optional<JobSet> existing = caches.jobSet(trainJob);
    ClusterSettings current = settings.get();
    boolean isRunning =
        existing.filter(it -> Owners.owns(trainJob, it) && !isSuspended(it)).isPresent()
            && !TrainJobs.isSuspended(trainJob);
    Planned known = running.get(trainJob.getMetadata().getUid());
    if (isRunning
        && known != null
        && known.settings().equals(current)
        && runtimes.hasSnapshot(trainJob)) {
      ensureHelpers(trainJob, known);
      return;
    }

    RuntimeSource.Resolved resolved = runtimes.resolve(trainJob);
    resolved.snapshot().ifPresent(text -> applySnapshot(trainJob, text));
    RuntimePlan plan = Planner.planAdmitted(trainJob, resolved.runtime(), current);
    RenderedObjects rendered = Renderer.render(plan, trainJob);
    Planned planned = new Planned(current, rendered.configMaps(), rendered.sshSecrets());
    ensureHelpers(trainJob, planned);
    running.put(trainJob.getMetadata().getUid(), planned);
    if (existing.filter(it -> !Owners.owns(trainJob, it)).isPresent()) {
      throw new NameTakenException(existing.get());
    }
    if (existing.isEmpty()) {
      applyJobSet(rendered.jobSet());
    } else if (!isRunning) {
      StoredJobSet.update(existing.get(), rendered.jobSet()).ifPresent(this::applyJobSet);
    }
  }

  /** Lets go of what was remembered of a TrainJob. */
  void forget(TrainJob trainJob) {
    running.remove(trainJob.getMetadata().getUid());
  }

  private static boolean isSuspended(JobSet jobSet) {
    return jobSet.getSpec() != null && Boolean.TRUE.equals(jobSet.getSpec().suspend());
  }

  private void applySnapshot(TrainJob trainJob, String text) {
    applyConfigMap(
        "runtime-snapshots",
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName(RuntimeSnapshot.name(trainJob))
            .withNamespace(trainJob.getMetadata().getNamespace())
            .withOwnerReferences(Owners.reference(trainJob))
            .endMetadata()
            .addToData("runtime", text)
            .build());
  }

  private void ensureHelpers(TrainJob trainJob, Planned planned) {
    for (ConfigMap configMap : planned.configMaps()) {
      String name = configMap.getMetadata().getName();
      boolean asPlanned =
          caches
              .configMap(trainJob.getMetadata().getNamespace(), name)
              .filter(it -> Owners.owns(trainJob, it))
              .map(Fingerprint::of)
              .filter(Fingerprint.of(configMap)::equals)
              .isPresent();
      if (!asPlanned) {
        applyConfigMap("configmaps" + name.substring(trainJob.name().length()), configMap);
      }
    }
    for (SshSecret secret : planned.sshSecrets()) {
      if (!caches.hasSshKeys(trainJob.getMetadata().getNamespace(), secret.name())) {
        Secret keys = secret.with(SshKeyPair.generate(random));
        caches.remember(writes.apply("ssh-keys", path("secrets", keys), keys, Secret.class));
      }
    }
  }

  private void applyConfigMap(String kind, ConfigMap configMap) {
    caches.remember(writes.apply(kind, path("configmaps", configMap), configMap, ConfigMap.class));
  }

  private void applyJobSet(JobSet jobSet) {
    caches.remember(writes.apply("jobsets", path("jobsets", jobSet), jobSet, JobSet.class));
  }

  private static ResourcePath path(String plural, HasMetadata object) {
    return ResourcePath.of(
        object.getApiVersion(),
        plural,
        object.getMetadata().getNamespace(),
        object.getMetadata().getName());
  }
}
