package dev.waymark.controller.reconcile;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.waymark.controller.ControllerConfiguration.Rate;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.kubernetes.ApiServerException;
import dev.waymark.controller.kubernetes.ResourcePath;
import dev.waymark.controller.kubernetes.TokenBucket;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The reconcilers' requests, each waited for; writes let users go first. Writes are limited, every
 * kind of object by a limit of its own, as upstream's are by type: one limit for all would let the
 * ConfigMaps of many new TrainJobs hold up everybody's status.
 */
final class Writes {

  static final String FIELD_MANAGER = "trainer";

  /** Field manager of what upstream writes without server-side apply. */
  static final String UPDATE_MANAGER = "waymark-controller";

  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(30);

  private final ApiServer apiServer;
  private final KubernetesSerialization serialization;
  private final Rate rate;
  private final Courtesy courtesy;
  private final Map<String, TokenBucket> limits = new ConcurrentHashMap<>();
  private volatile String refusal;

  Writes(ApiServer apiServer, KubernetesSerialization serialization, Rate rate, Courtesy courtesy) {
    this.apiServer = apiServer;
    this.serialization = serialization;
    this.rate = rate;
    this.courtesy = courtesy;
  }

  /** Makes no more writes, those included that wait for their turn. */
  void refuse(String why) {
    refusal = why;
  }

  /**
   * Applies an object, and takes over fields that others own.
   *
   * @param kind of object, for the limit
   * @return the object as it is now
   */
  <R> R apply(String kind, ResourcePath path, Object object, Class<R> type) {
    return parse(write(kind, () -> apiServer.apply(path, FIELD_MANAGER, object)), type);
  }

  /** The same, where nothing but the object's metadata is to be told. */
  ObjectMeta applyForMetadata(String kind, ResourcePath path, Object object) {
    byte[] answer = write(kind, () -> apiServer.applyForMetadata(path, FIELD_MANAGER, object));
    return parse(answer, MetadataOnly.class).metadata();
  }

  @JsonIgnoreProperties(ignoreUnknown = true)
  private record MetadataOnly(ObjectMeta metadata) {}

  /** Merges fields into an object, and returns it as it is now. */
  <R> R merge(String kind, ResourcePath path, Map<String, Object> fields, Class<R> type) {
    return parse(write(kind, () -> apiServer.merge(path, UPDATE_MANAGER, fields)), type);
  }

  /** Deletes an object if it still is the one of that uid. */
  void delete(String kind, ResourcePath path, String uid) {
    write(kind, () -> apiServer.delete(path, uid));
  }

  /** Creates an object; comes back at once. */
  CompletableFuture<byte[]> create(String kind, ResourcePath path, Map<String, Object> object) {
    return turn(kind).thenCompose(go -> apiServer.create(path, object));
  }

  /** Merges fields into an object; comes back at once. */
  CompletableFuture<byte[]> mergeLater(String kind, ResourcePath path, Map<String, Object> fields) {
    return turn(kind).thenCompose(go -> apiServer.merge(path, UPDATE_MANAGER, fields));
  }

  /**
   * Reads an object as the API server has it.
   *
   * @return JSON
   */
  byte[] read(ResourcePath path) {
    return await(apiServer.read(path.path()));
  }

  /** The same as an object; empty when there is none. */
  <R> Optional<R> find(ResourcePath path, Class<R> type) {
    try {
      return Optional.of(parse(read(path), type));
    } catch (ApiServerException e) {
      if (e.isNotFound()) {
        return Optional.empty();
      }
      throw e;
    }
  }

  <R> R parse(byte[] json, Class<R> type) {
    return serialization.unmarshal(new ByteArrayInputStream(json), type);
  }

  private <T> T write(String kind, Supplier<CompletableFuture<T>> request) {
    // Not in its turn, or the wait for one kind's limit would hold up all other kinds.
    await(turn(kind));
    return courtesy.write(
        () -> {
          requireLead();
          return await(request.get());
        });
  }

  private CompletableFuture<Void> turn(String kind) {
    return limits
        .computeIfAbsent(kind, any -> new TokenBucket(rate.qps(), rate.burst()))
        .take()
        .thenRun(this::requireLead);
  }

  private void requireLead() {
    if (refusal != null) {
      throw new IllegalStateException(refusal);
    }
  }

  private static <T> T await(CompletableFuture<T> request) {
    try {
      return request.get(REQUEST_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      Throwable cause = ApiServer.cause(e.getCause());
      if (cause instanceof RuntimeException refused) {
        throw refused;
      }
      throw new CompletionException(cause.toString(), cause);
    } catch (TimeoutException e) {
      throw new CompletionException("no answer from the API server within 30 s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CompletionException("the controller ends", e);
    }
  }
}
