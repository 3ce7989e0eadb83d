package dev.waymark.controller.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.kubernetes.ApiServerException;
import dev.waymark.controller.kubernetes.ResourcePath;
import dev.waymark.controller.status.PodBinding.BoundPod;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.javaoperatorsdk.operator.processing.event.source.informer.TransformingItemStore;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The pods of all JobSets, watched, of which only names, uids and JobSet labels are kept. A pod
 * that the watch hasn't told yet is asked for; one that it has told gone is gone at once.
 */
final class JobSetPods implements PodBinding.Pods, AutoCloseable {

  static final String JOBSET_NAME = "jobset.sigs.k8s.io/jobset-name";
  static final String JOBSET_UID = "jobset.sigs.k8s.io/jobset-uid";

  private static final Duration START_LIMIT = Duration.ofSeconds(30);

  private final ApiServer apiServer;
  private final SharedIndexInformer<Pod> informer;
  private final Map<String, CompletableFuture<Optional<BoundPod>>> asked =
      new ConcurrentHashMap<>();

  JobSetPods(KubernetesClient client, ApiServer apiServer) {
    this.apiServer = apiServer;
    informer = client.pods().inAnyNamespace().withLabel(JOBSET_NAME).runnableInformer(0);
    informer.itemStore(new TransformingItemStore<>(JobSetPods::stripped));
  }

  private static Pod stripped(Pod pod) {
    Map<String, String> labels = pod.getMetadata().getLabels();
    Pod kept = new Pod();
    kept.setMetadata(
        new ObjectMetaBuilder()
            .withName(pod.getMetadata().getName())
            .withNamespace(pod.getMetadata().getNamespace())
            .withUid(pod.getMetadata().getUid())
            .addToLabels(JOBSET_NAME, labels.get(JOBSET_NAME))
            .addToLabels(JOBSET_UID, labels.get(JOBSET_UID))
            .build());
    return kept;
  }

  /** Starts to watch; returns once all pods are known. */
  void start() throws InterruptedException, ExecutionException, TimeoutException {
    informer.start().toCompletableFuture().get(START_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Why its knowledge is out of date; empty when it isn't. */
  Optional<String> problem() {
    return informer.isWatching() ? Optional.empty() : Optional.of("pods are not watched");
  }

  /** Whether it will never watch again. */
  boolean hasStopped() {
    return informer.stopped().toCompletableFuture().isDone();
  }

  @Override
  public CompletionStage<Optional<BoundPod>> find(String namespace, String name) {
    Pod known = informer.getStore().getByKey(Cache.namespaceKeyFunc(namespace, name));
    if (known != null) {
      Map<String, String> labels = known.getMetadata().getLabels();
      return CompletableFuture.completedFuture(
          Optional.of(
              new BoundPod(
                  known.getMetadata().getUid(), labels.get(JOBSET_NAME), labels.get(JOBSET_UID))));
    }
    return asked.computeIfAbsent(namespace + "/" + name, key -> ask(key, namespace, name));
  }

  /** Who asks for the same pod within a second gets the same answer, and a flood one request. */
  private CompletableFuture<Optional<BoundPod>> ask(String key, String namespace, String name) {
    CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(() -> asked.remove(key));
    return apiServer.get(ResourcePath.of("v1", "pods", namespace, name)).handle(JobSetPods::pod);
  }

  private static Optional<BoundPod> pod(JsonNode found, Throwable failure) {
    Throwable cause = ApiServer.cause(failure);
    if (cause instanceof ApiServerException refused && refused.isNotFound()) {
      return Optional.empty();
    } else if (cause != null) {
      throw new CompletionException(cause);
    }
    JsonNode metadata = found.path("metadata");
    return Optional.of(
        new BoundPod(
            metadata.path("uid").asText(),
            metadata.path("labels").path(JOBSET_NAME).textValue(),
            metadata.path("labels").path(JOBSET_UID).textValue()));
  }

  @Override
  public void close() {
    informer.stop();
  }
}
