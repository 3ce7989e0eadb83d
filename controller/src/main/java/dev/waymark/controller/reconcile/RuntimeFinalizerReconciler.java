package dev.waymark.controller.reconcile;

import dev.waymark.controller.kubernetes.ResourcePath;
import dev.waymark.trainer.api.ClusterTrainingRuntime;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainerApi;
import dev.waymark.trainer.api.TrainingRuntime;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Takes the finalizer off runtimes that Kubeflow Trainer before 2.3 put there, since nobody does
 * anything about it any more and the runtime could never be deleted. Its cache of the runtimes
 * serves the others.
 *
 * @param <R> one kind of runtime
 */
abstract class RuntimeFinalizerReconciler<R extends RuntimeResource> implements Reconciler<R> {

  /** The framework reads the kind off the class that it gets. */
  static final class OfNamespace extends RuntimeFinalizerReconciler<TrainingRuntime>
      implements Reconciler<TrainingRuntime> {
    OfNamespace(Writes writes) {
      super("trainingruntimes", TrainingRuntime.class, writes);
    }
  }

  /** The runtimes of the whole cluster. */
  static final class OfCluster extends RuntimeFinalizerReconciler<ClusterTrainingRuntime>
      implements Reconciler<ClusterTrainingRuntime> {
    OfCluster(Writes writes) {
      super("clustertrainingruntimes", ClusterTrainingRuntime.class, writes);
    }
  }

  static final String FINALIZER = "trainer.kubeflow.org/resource-in-use";

  private final String plural;
  private final Class<R> type;
  private final Writes writes;
  private IndexerResourceCache<R> runtimes;

  private RuntimeFinalizerReconciler(String plural, Class<R> type, Writes writes) {
    this.plural = plural;
    this.type = type;
    this.writes = writes;
  }

  @Override
  public List<EventSource<?, R>> prepareEventSources(EventSourceContext<R> context) {
    runtimes = context.getPrimaryCache();
    return List.of();
  }

  @Override
  public UpdateControl<R> reconcile(R runtime, Context<R> context) {
    List<String> finalizers = runtime.getMetadata().getFinalizers();
    if (context.isPrimaryResourceDeleted()) {
      return UpdateControl.noUpdate();
    }
    if (finalizers != null && finalizers.contains(FINALIZER)) {
      Map<String, Object> metadata = new HashMap<>();
      metadata.put(
          "finalizers", finalizers.stream().filter(name -> !name.equals(FINALIZER)).toList());
      // Somebody else's finalizer must not get lost.
      metadata.put("resourceVersion", runtime.getMetadata().getResourceVersion());
      writes.merge(
          plural,
          ResourcePath.of(
              TrainerApi.API_VERSION, plural, runtime.getMetadata().getNamespace(), runtime.name()),
          Map.of("metadata", metadata),
          type);
    }
    return UpdateControl.noUpdate();
  }

  /** A runtime as the watch last told it. */
  Optional<R> get(String namespace, String name) {
    return runtimes.get(new ResourceID(name, namespace));
  }

  /** All runtimes. */
  Stream<R> all() {
    return runtimes.list();
  }
}
