package dev.waymark.controller.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.kubernetes.ApiServerException;
import dev.waymark.controller.kubernetes.ResourcePath;
import dev.waymark.status.TrainJobKey;
import dev.waymark.trainer.api.TrainerApi;
import dev.waymark.trainer.api.TrainerJson;
import dev.waymark.trainer.api.TrainerStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * The statuses in the TrainJobs of a cluster: server-side apply on the status subresource, with the
 * field manager that upstream's server has, so that each write replaces all of the {@code
 * trainerStatus} and nothing else.
 */
final class TrainJobStatuses implements StoredStatuses {

  static final String FIELD_MANAGER = "trainer-status";

  private final ApiServer apiServer;
  private final Predicate<TrainJobKey> cache;

  /**
   * Makes the statuses of a cluster.
   *
   * @param cache tells whether a TrainJob is known
   */
  TrainJobStatuses(ApiServer apiServer, Predicate<TrainJobKey> cache) {
    this.apiServer = apiServer;
    this.cache = cache;
  }

  @Override
  public boolean isCached(TrainJobKey trainJob) {
    return cache.test(trainJob);
  }

  @Override
  public CompletionStage<Optional<Stored>> read(TrainJobKey trainJob) {
    return apiServer
        .get(path(trainJob))
        .handle(
            (found, failure) -> {
              Throwable cause = ApiServer.cause(failure);
              if (cause instanceof ApiServerException refused && refused.isNotFound()) {
                return Optional.empty();
              } else if (cause != null) {
                throw new CompletionException(cause);
              }
              return Optional.of(
                  new Stored(
                      statusOf(found), found.path("metadata").path("resourceVersion").asText()));
            });
  }

  /** Null when there is none, or one that no report could have written. */
  private static TrainerStatus statusOf(JsonNode trainJob) {
    JsonNode status = trainJob.path("status").path("trainerStatus");
    if (!status.isObject()) {
      return null;
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    status.properties().forEach(field -> fields.put(field.getKey(), value(field.getValue())));
    try {
      return TrainerJson.fromMap(fields, TrainerStatus.class);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static Object value(JsonNode node) {
    return node.isNumber() ? node.numberValue() : node.isTextual() ? node.textValue() : node;
  }

  @Override
  public CompletionStage<Written> write(
      TrainJobKey trainJob, TrainerStatus status, String resourceVersion) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", trainJob.name());
    metadata.put("namespace", trainJob.namespace());
    if (resourceVersion != null) {
      metadata.put("resourceVersion", resourceVersion);
    }
    Map<String, Object> intent =
        Map.of(
            "apiVersion",
            TrainerApi.API_VERSION,
            "kind",
            "TrainJob",
            "metadata",
            metadata,
            "status",
            Map.of("trainerStatus", TrainerJson.toMap(status)));
    // Nobody reads the answer, and a whole TrainJob is long.
    return apiServer
        .applyForMetadata(path(trainJob).status(), FIELD_MANAGER, intent)
        .handle((answer, failure) -> result(ApiServer.cause(failure)));
  }

  private static Written result(Throwable failure) {
    if (failure == null) {
      return Written.DONE;
    }
    if (failure instanceof ApiServerException refused) {
      if (refused.isNotFound()) {
        return Written.NOT_FOUND;
      } else if (refused.isConflict()) {
        return Written.CONFLICT;
      } else if (refused.isInvalid()) {
        throw new InvalidStatusException(refused.getMessage());
      }
    }
    throw new CompletionException(failure);
  }

  private static ResourcePath path(TrainJobKey trainJob) {
    return ResourcePath.of(
        TrainerApi.API_VERSION, "trainjobs", trainJob.namespace(), trainJob.name());
  }
}
