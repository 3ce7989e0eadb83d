package dev.waymark.controller.reconcile;

import dev.waymark.controller.status.StatusService;
import dev.waymark.plan.Observation;
import dev.waymark.status.TrainJobKey;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.Owners;
import dev.waymark.trainer.api.TrainJob;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Secret;
import io.javaoperatorsdk.operator.api.config.informer.FieldSelector;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.TransformingItemStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the reconcilers know of the cluster without asking: TrainJobs, their JobSets, and which
 * ConfigMaps and ssh keys there are. Each is kept without what nobody here reads, since a cluster's
 * ConfigMaps can be large. What a reconcile has written is known at once, before the watch tells
 * it.
 */
final class Caches implements StatusService.KnownTrainJobs {

  private static final String SSH_TYPE = "kubernetes.io/ssh-auth";

  private final DeletedJobSets deletedJobSets = new DeletedJobSets();

  private volatile SimpleInboundEventSource<TrainJob> again;
  private IndexerResourceCache<TrainJob> trainJobs;
  private InformerEventSource<JobSet, TrainJob> jobSets;
  private InformerEventSource<ConfigMap, TrainJob> configMaps;
  private InformerEventSource<Secret, TrainJob> sshKeys;

  /** Makes the watches; each tells the reconciler which TrainJobs to look at again. */
  List<EventSource<?, TrainJob>> eventSources(EventSourceContext<TrainJob> context) {
    trainJobs = context.getPrimaryCache();
    jobSets =
        new InformerEventSource<>(
            watch(JobSet.class, "jobsets")
                // Of the same name as its TrainJob, and so is one that is in its way.
                .withSecondaryToPrimaryMapper(jobSet -> Set.of(ResourceID.fromResource(jobSet)))
                // Called once for each that goes, on every replica.
                .withOnDeleteFilter(
                    (gone, unseen) -> {
                      deletedJobSets.add(gone);
                      return true;
                    })
                .build(),
            context);
    configMaps =
        new InformerEventSource<>(
            watch(ConfigMap.class, "configmaps")
                .withItemStore(new TransformingItemStore<>(Fingerprint::strip))
                .withSecondaryToPrimaryMapper(Caches::owner)
                // Nobody waits for one: whoever creates it knows.
                .withOnAddFilter(added -> false)
                .withOnUpdateFilter(
                    (now, before) -> !Fingerprint.of(now).equals(Fingerprint.of(before)))
                .build(),
            context);
    sshKeys =
        new InformerEventSource<>(
            watch(Secret.class, "ssh-keys")
                .withItemStore(new TransformingItemStore<>(Caches::withoutData))
                .withFieldSelector(new FieldSelector(new FieldSelector.Field("type", SSH_TYPE)))
                .withSecondaryToPrimaryMapper(Caches::owner)
                .withOnAddFilter(added -> false)
                .withOnUpdateFilter((now, before) -> false)
                .build(),
            context);
    again = new SimpleInboundEventSource<>("again");
    return List.of(jobSets, configMaps, sshKeys, again);
  }

  /** Has all TrainJobs reconciled that have not finished. */
  void reconcileUnfinished() {
    if (again.isRunning()) {
      trainJobs
          .list(trainJob -> !Observation.isFinished(trainJob))
          .map(ResourceID::fromResource)
          .forEach(this::reconcile);
    }
  }

  /** Has one TrainJob reconciled. */
  void reconcile(ResourceID trainJob) {
    again.propagateEvent(trainJob);
  }

  private static <R extends HasMetadata> InformerEventSourceConfiguration.Builder<R> watch(
      Class<R> type, String name) {
    return InformerEventSourceConfiguration.from(type, TrainJob.class)
        .withName(name)
        .withWatchAllNamespaces()
        // Found by name, so the framework need not remember which belong to which.
        .withPrimaryToSecondaryMapper((TrainJob trainJob) -> Set.of());
  }

  private static Secret withoutData(Secret secret) {
    secret.setData(null);
    secret.setStringData(null);
    return secret;
  }

  private static Set<ResourceID> owner(HasMetadata object) {
    return Owners.controller(object)
        .filter(Owners::isTrainJob)
        .map(OwnerReference::getName)
        .map(name -> Set.of(new ResourceID(name, object.getMetadata().getNamespace())))
        .orElse(Set.of());
  }

  /** All TrainJobs, finished ones too. */
  Stream<TrainJob> trainJobs() {
    return trainJobs.list(trainJob -> true);
  }

  /** The JobSet of a TrainJob's name, whoever owns it. */
  Optional<JobSet> jobSet(TrainJob trainJob) {
    return jobSets.get(ResourceID.fromResource(trainJob));
  }

  /** A ConfigMap, with fingerprints in the place of its data. */
  Optional<ConfigMap> configMap(String namespace, String name) {
    return configMaps.get(new ResourceID(name, namespace));
  }

  /** A Secret with ssh keys, without them. */
  Optional<Secret> sshKeys(String namespace, String name) {
    return sshKeys.get(new ResourceID(name, namespace));
  }

  void remember(JobSet written) {
    jobSets.handleRecentResourceCreate(ResourceID.fromResource(written), written);
  }

  void remember(ConfigMap written) {
    ConfigMap stripped = Fingerprint.strip(written);
    configMaps.handleRecentResourceCreate(ResourceID.fromResource(stripped), stripped);
  }

  void remember(Secret written) {
    Secret stripped = withoutData(written);
    sshKeys.handleRecentResourceCreate(ResourceID.fromResource(stripped), stripped);
  }

  @Override
  public Optional<String> uid(TrainJobKey trainJob) {
    return trainJob(trainJob).map(known -> known.getMetadata().getUid());
  }

  @Override
  public Optional<String> jobSetUid(TrainJobKey trainJob) {
    return trainJob(trainJob)
        .flatMap(known -> jobSet(known).filter(known::owns))
        .map(jobSet -> jobSet.getMetadata().getUid());
  }

  @Override
  public Optional<String> deletedJobSetUid(TrainJobKey trainJob) {
    return trainJob(trainJob).flatMap(deletedJobSets::lastUid);
  }

  private Optional<TrainJob> trainJob(TrainJobKey key) {
    return trainJobs.get(new ResourceID(key.name(), key.namespace()));
  }
}
