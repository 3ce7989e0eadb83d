package dev.waymark.controller.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.kubernetes.ApiServerException;
import dev.waymark.controller.kubernetes.ResourcePath;
import dev.waymark.controller.status.PodBinding.BoundPod;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
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
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pods of all JobSets, watched, of which only names, uids and JobSet labels are kept. A pod
 * that the watch hasn't told yet is asked for; one that it has told gone is gone at once.
 */
final class JobSetPods implements PodBinding.Pods, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(JobSetPods.class);

  static final String JOBSET_NAME = "jobset.sigs.k8s.io/jobset-name";
  static final String JOBSET_UID = "jobset.sigs.k8s.io/jobset-uid";

  private static final Duration RETRY = Duration.ofSeconds(5);
  private static final int FORBIDDEN = 403;

  private final KubernetesClient client;
  private final ApiServer apiServer;
  private final ScheduledExecutorService executor;
  private final Map<String, CompletableFuture<Optional<BoundPod>>> asked =
      new ConcurrentHashMap<>();

  /** Null before the start. */
  private volatile SharedIndexInformer<Pod> informer;

  private volatile boolean closed;

  /**
   * The role in use gives no right to pods; nobody would be helped if nothing else worked either.
   */
  private volatile boolean denied;

  /**
   * Watches nothing yet.
   *
   * @param executor tries again what was denied; stays open
   */
  JobSetPods(KubernetesClient client, ApiServer apiServer, ScheduledExecutorService executor) {
    this.client = client;
    this.apiServer = apiServer;
    this.executor = executor;
  }

  private SharedIndexInformer<Pod> newInformer() {
    return client
        .pods()
        .inAnyNamespace()
        .withLabel(JOBSET_NAME)
        .runnableInformer(0)
        .itemStore(new TransformingItemStore<>(JobSetPods::stripped));
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

  /** Starts to watch, and starts again whenever that fails or ends. Comes back at once. */
  @SuppressWarnings("FutureReturnValueIgnored") // again() gets the failures
  void start() {
    if (closed) {
      return;
    }
    SharedIndexInformer<Pod> next = newInformer();
    informer = next;
    if (closed) {
      // Since the look above.
      return;
    }
    AtomicBoolean over = new AtomicBoolean();
    next.start()
        .whenComplete(
            (nothing, failure) -> {
              if (failure == null) {
                denied = false;
              } else {
                again(over, failure);
              }
            });
    next.stopped().whenComplete((nothing, failure) -> again(over, failure));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // start() never fails
  private void again(AtomicBoolean over, Throwable failure) {
    if (closed || !over.compareAndSet(false, true)) {
      return;
    }
    Throwable cause = ApiServer.cause(failure);
    boolean forbidden =
        cause instanceof KubernetesClientException refused && refused.getCode() == FORBIDDEN;
    if (!forbidden) {
      log.warn("Pods are not watched, will start again: {}", String.valueOf(cause));
    } else if (!denied) {
      log.warn(
          "Tokens that are bound to pods can't be checked, so none counts: {}", message(cause));
    }
    denied = forbidden;
    executor.schedule(this::start, RETRY.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static String message(Throwable refused) {
    return refused instanceof KubernetesClientException answer && answer.getStatus() != null
        ? answer.getStatus().getMessage()
        : refused.getMessage();
  }

  /** Why its knowledge is out of date; empty when it isn't, or when nothing can help. */
  Optional<String> problem() {
    SharedIndexInformer<Pod> current = informer;
    return denied || (current != null && current.isWatching())
        ? Optional.empty()
        : Optional.of("pods are not watched");
  }

  @Override
  public CompletionStage<Optional<BoundPod>> find(String namespace, String name) {
    SharedIndexInformer<Pod> current = informer;
    Pod known =
        current == null
            ? null
            : current.getStore().getByKey(Cache.namespaceKeyFunc(namespace, name));
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
    closed = true;
    if (informer != null) {
      informer.stop();
    }
  }
}
