package dev.waymark.controller.certificates;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.kubernetes.ApiServerException;
import dev.waymark.controller.kubernetes.ResourcePath;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Requests to the API server whose answers are waited for, 10 s at most. They throw {@link
 * ApiServerException} when it refuses, {@link UncheckedIOException} when it can't be asked.
 */
final class PatientApiServer {

  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final String FIELD_MANAGER = "trainer-certificates";

  private final ApiServer apiServer;

  PatientApiServer(ApiServer apiServer) {
    this.apiServer = apiServer;
  }

  /** Reads an object; empty when there is none. */
  Optional<ObjectNode> get(ResourcePath path) {
    try {
      return Optional.of((ObjectNode) wait(path, apiServer.get(path)));
    } catch (ApiServerException e) {
      if (e.isNotFound()) {
        return Optional.empty();
      }
      throw e;
    }
  }

  void create(ResourcePath path, ObjectNode object) {
    wait(path, apiServer.create(path.collection(), object));
  }

  /** Replaces an object that still has the resourceVersion that it was read with. */
  void replace(ResourcePath path, ObjectNode object) {
    wait(path, apiServer.replace(path, FIELD_MANAGER, object));
  }

  private static <T> T wait(ResourcePath path, CompletableFuture<T> answer) {
    try {
      return answer.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      Throwable cause = ApiServer.cause(e.getCause());
      if (cause instanceof ApiServerException refused) {
        throw refused;
      }
      throw unanswered(path, cause);
    } catch (TimeoutException e) {
      throw unanswered(path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unanswered(path, e);
    }
  }

  private static UncheckedIOException unanswered(ResourcePath path, Throwable cause) {
    return new UncheckedIOException(new java.io.IOException("no answer about " + path, cause));
  }
}
