package dev.waymark.controller.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.kubernetes.ApiServerException;
import dev.waymark.controller.kubernetes.ResourcePath;
import dev.waymark.controller.status.StatusService.KnownTrainJobs;
import dev.waymark.status.TrainJobKey;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.TrainerApi;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Tells which JobSet a TrainJob has become: the one that it controls, not another one of its name.
 * Where the cache has none, or another one, the API server is asked, since the cache may be behind.
 *
 * <p>One that was a TrainJob's own remains it when it is gone and no other is there: the pods that
 * a deadline has ended have seconds left, and a last word to say, to whatever replica. Safe for
 * every thread.
 */
final class OwnJobSets implements PodBinding.JobSets {

  private static final String API_VERSION = JobSet.GROUP + "/" + JobSet.VERSION;

  private final KnownTrainJobs known;
  private final ApiServer apiServer;
  private final Map<TrainJobKey, CompletableFuture<Optional<JsonNode>>> asked =
      new ConcurrentHashMap<>();

  OwnJobSets(KnownTrainJobs known, ApiServer apiServer) {
    this.known = known;
    this.apiServer = apiServer;
  }

  @Override
  public CompletionStage<Boolean> isOwn(TrainJobKey trainJob, String jobSetUid) {
    if (known.jobSetUid(trainJob).filter(jobSetUid::equals).isPresent()) {
      return CompletableFuture.completedFuture(true);
    }
    Optional<String> trainJobUid = known.uid(trainJob);
    return asked
        .computeIfAbsent(trainJob, this::ask)
        .thenApply(
            found ->
                found.isPresent()
                    ? isOwn(found.get(), trainJob, trainJobUid, jobSetUid)
                    : wasOwn(trainJob, jobSetUid));
  }

  private static boolean isOwn(
      JsonNode jobSet, TrainJobKey trainJob, Optional<String> trainJobUid, String jobSetUid) {
    if (!jobSetUid.equals(jobSet.at("/metadata/uid").textValue())) {
      return false;
    }
    for (JsonNode owner : jobSet.at("/metadata/ownerReferences")) {
      if (owner.path("controller").asBoolean()
          && "TrainJob".equals(owner.path("kind").textValue())
          && owner.path("apiVersion").asText().startsWith(TrainerApi.GROUP + "/")
          && trainJob.name().equals(owner.path("name").textValue())) {
        return trainJobUid.isEmpty() || trainJobUid.get().equals(owner.path("uid").textValue());
      }
    }
    return false;
  }

  private boolean wasOwn(TrainJobKey trainJob, String jobSetUid) {
    return known.deletedJobSetUid(trainJob).filter(jobSetUid::equals).isPresent();
  }

  /** Who asks for the same one within a second gets the same answer, and a flood one request. */
  private CompletableFuture<Optional<JsonNode>> ask(TrainJobKey trainJob) {
    CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(() -> asked.remove(trainJob));
    return apiServer
        .get(ResourcePath.of(API_VERSION, "jobsets", trainJob.namespace(), trainJob.name()))
        .handle(OwnJobSets::found);
  }

  private static Optional<JsonNode> found(JsonNode jobSet, Throwable failure) {
    Throwable cause = ApiServer.cause(failure);
    if (cause instanceof ApiServerException refused && refused.isNotFound()) {
      return Optional.empty();
    } else if (cause != null) {
      throw new CompletionException(cause);
    }
    return Optional.of(jobSet);
  }
}
