package dev.waymark.controller.reconcile;

import dev.waymark.controller.kubernetes.ApiServerException;
import dev.waymark.controller.kubernetes.ResourcePath;
import dev.waymark.plan.InvalidSnapshotException;
import dev.waymark.plan.RuntimeSnapshot;
import dev.waymark.trainer.api.ClusterTrainingRuntime;
import dev.waymark.trainer.api.RuntimeRef;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerApi;
import dev.waymark.trainer.api.TrainingRuntime;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Finds the runtime of a TrainJob: the snapshot that was taken for it, or the one that the cluster
 * has, of which a snapshot is then to be taken. Safe for every thread.
 */
final class RuntimeSource {

  /** Runtimes and snapshots that are remembered; a cluster has few runtimes. */
  private static final int REMEMBERED = 256;

  /**
   * A runtime for a TrainJob.
   *
   * @param newSnapshot the snapshot that is to be taken; empty when there is one
   */
  record Resolved(RuntimeResource runtime, Optional<ConfigMap> newSnapshot) {}

  /** A TrainJob whose {@code runtimeRef} names a kind that nobody here knows. */
  static final class UnsupportedRuntimeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnsupportedRuntimeException(RuntimeRef ref) {
      super("unsupported runtime: " + ref.effectiveKind() + "." + ref.effectiveApiGroup());
    }
  }

  /** The cluster has no such runtime; the message is upstream's. */
  static final class NoRuntimeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoRuntimeException(RuntimeRef ref, Throwable cause) {
      super(
          ref.effectiveKind().equals("TrainingRuntime")
              ? "TrainingRuntime specified in TrainJob is not found: " + cause.getMessage()
              : "not found ClusterTrainingRuntime specified in TrainJob: " + cause.getMessage(),
          cause);
    }
  }

  /** A runtime as it was read, and the text of its snapshots. */
  private record Live(RuntimeResource runtime, String snapshot) {}

  private final Caches caches;
  private final Writes writes;
  private final BiFunction<RuntimeRef, String, Optional<String>> cachedVersion;
  private final Map<String, Live> live = recent();
  private final Map<String, RuntimeResource> snapshots = recent();

  /**
   * Makes a source.
   *
   * @param cachedVersion uid and version of the runtime that a reference names in a namespace, as
   *     the watch last told it
   */
  RuntimeSource(
      Caches caches,
      Writes writes,
      BiFunction<RuntimeRef, String, Optional<String>> cachedVersion) {
    this.caches = caches;
    this.writes = writes;
    this.cachedVersion = cachedVersion;
  }

  private static <V> Map<String, V> recent() {
    return Collections.synchronizedMap(
        new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > REMEMBERED;
          }
        });
  }

  /**
   * Finds the runtime of a TrainJob.
   *
   * @param wasPlanned whether the TrainJob may have been planned before, so that a snapshot may be
   *     there of which the cache doesn't know yet
   * @throws UnsupportedRuntimeException when its kind isn't known
   * @throws NoRuntimeException when it isn't there
   * @throws InvalidSnapshotException when the snapshot can't be used
   */
  Resolved resolve(TrainJob trainJob, boolean wasPlanned) {
    RuntimeRef ref = trainJob.getSpec().runtimeRef();
    type(ref);
    Optional<RuntimeResource> kept =
        wasPlanned && !hasSnapshot(trainJob) ? readSnapshot(trainJob) : ofSnapshot(trainJob);
    if (kept.isPresent()) {
      return new Resolved(kept.get(), Optional.empty());
    }
    Live found = live(ref, trainJob.getMetadata().getNamespace());
    return new Resolved(
        found.runtime(), Optional.of(RuntimeSnapshot.of(trainJob, found.snapshot())));
  }

  /**
   * The runtime that a reference names, as the cluster has it now.
   *
   * @throws UnsupportedRuntimeException when its kind isn't known
   */
  Optional<RuntimeResource> current(RuntimeRef ref, String namespace) {
    try {
      return Optional.of(live(ref, namespace).runtime());
    } catch (NoRuntimeException e) {
      return Optional.empty();
    }
  }

  /**
   * The runtime as it was when the TrainJob was made; empty while no snapshot was taken.
   *
   * @throws InvalidSnapshotException when the snapshot can't be used
   */
  Optional<RuntimeResource> ofSnapshot(TrainJob trainJob) {
    return snapshot(trainJob)
        .flatMap(
            cached ->
                Optional.ofNullable(snapshots.get(version(trainJob, cached)))
                    .or(() -> readSnapshot(trainJob)));
  }

  /**
   * Whether the snapshot of a TrainJob is there; somebody else's counts too, and is refused later.
   */
  boolean hasSnapshot(TrainJob trainJob) {
    return snapshot(trainJob).isPresent();
  }

  private Optional<ConfigMap> snapshot(TrainJob trainJob) {
    return caches.configMap(trainJob.getMetadata().getNamespace(), RuntimeSnapshot.name(trainJob));
  }

  /** The cache knows of a snapshot only that it is there. */
  private Optional<RuntimeResource> readSnapshot(TrainJob trainJob) {
    return writes
        .find(
            ResourcePath.of(
                "v1",
                "configmaps",
                trainJob.getMetadata().getNamespace(),
                RuntimeSnapshot.name(trainJob)),
            ConfigMap.class)
        .map(
            whole -> {
              RuntimeResource runtime = RuntimeSnapshot.read(trainJob, whole);
              snapshots.put(version(trainJob, whole), runtime);
              return runtime;
            });
  }

  private static String version(TrainJob trainJob, ConfigMap snapshot) {
    return trainJob.getMetadata().getUid() + " " + snapshot.getMetadata().getResourceVersion();
  }

  /** Reads the runtime, unless the last one that was read is still what the watch tells. */
  private Live live(RuntimeRef ref, String namespace) {
    Optional<String> version = cachedVersion.apply(ref, namespace);
    Live known = version.map(live::get).orElse(null);
    if (known != null) {
      return known;
    }
    Live read;
    try {
      RuntimeResource runtime = writes.parse(writes.read(path(ref, namespace)), type(ref));
      read = new Live(runtime, RuntimeSnapshot.text(runtime));
    } catch (ApiServerException e) {
      if (e.isNotFound()) {
        throw new NoRuntimeException(ref, e);
      }
      throw e;
    }
    live.put(version(read.runtime()), read);
    return read;
  }

  /** What tells one state of a runtime from all others. */
  static String version(RuntimeResource runtime) {
    return runtime.getMetadata().getUid() + " " + runtime.getMetadata().getResourceVersion();
  }

  private static ResourcePath path(RuntimeRef ref, String namespace) {
    return type(ref) == TrainingRuntime.class
        ? ResourcePath.of(TrainerApi.API_VERSION, "trainingruntimes", namespace, ref.name())
        : ResourcePath.of(TrainerApi.API_VERSION, "clustertrainingruntimes", null, ref.name());
  }

  private static Class<? extends RuntimeResource> type(RuntimeRef ref) {
    if (ref == null) {
      throw new IllegalArgumentException("spec.runtimeRef is missing");
    } else if (!ref.effectiveApiGroup().equals(TrainerApi.GROUP)) {
      throw new UnsupportedRuntimeException(ref);
    }
    return switch (ref.effectiveKind()) {
      case "TrainingRuntime" -> TrainingRuntime.class;
      case "ClusterTrainingRuntime" -> ClusterTrainingRuntime.class;
      default -> throw new UnsupportedRuntimeException(ref);
    };
  }
}
