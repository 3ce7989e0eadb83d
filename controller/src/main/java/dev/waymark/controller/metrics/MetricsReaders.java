package dev.waymark.controller.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.kubernetes.ResourcePath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Asks the API server who reads the metrics (TokenReview) and whether he may {@code get} the path
 * (SubjectAccessReview), as kube-rbac-proxy does. A verdict is remembered for 10 s; where there was
 * none, the next reader asks again. Safe for every thread.
 */
final class MetricsReaders {

  enum Verdict {
    ALLOWED(200),
    UNKNOWN(401),
    FORBIDDEN(403);

    private final int code;

    Verdict(int code) {
      this.code = code;
    }

    int code() {
      return code;
    }
  }

  private static final Duration REMEMBERED = Duration.ofSeconds(10);
  private static final int MOST_REMEMBERED = 256;

  private final ApiServer apiServer;
  private final String path;
  private final Map<String, CompletableFuture<Verdict>> verdicts = new ConcurrentHashMap<>();

  MetricsReaders(ApiServer apiServer, String path) {
    this.apiServer = apiServer;
    this.path = path;
  }

  /**
   * Judges a reader.
   *
   * @param authorization value of the header, or null
   */
  CompletableFuture<Verdict> mayRead(String authorization) {
    if (authorization == null || !authorization.regionMatches(true, 0, "bearer ", 0, 7)) {
      return CompletableFuture.completedFuture(Verdict.UNKNOWN);
    }
    String token = authorization.substring(7).strip();
    if (verdicts.size() >= MOST_REMEMBERED) {
      verdicts.clear();
    }
    CompletableFuture<Verdict> known = verdicts.get(token);
    if (known != null && !known.isCompletedExceptionally()) {
      return known;
    }
    CompletableFuture<Verdict> asked = review(token);
    verdicts.put(token, asked);
    CompletableFuture.delayedExecutor(REMEMBERED.toSeconds(), TimeUnit.SECONDS)
        .execute(() -> verdicts.remove(token, asked));
    return asked;
  }

  private CompletableFuture<Verdict> review(String token) {
    return apiServer
        .create(
            new ResourcePath("authentication.k8s.io/v1", "tokenreviews", null, null, null),
            Map.of(
                "apiVersion",
                "authentication.k8s.io/v1",
                "kind",
                "TokenReview",
                "spec",
                Map.of("token", token)))
        .thenApply(ApiServer::parse)
        .thenCompose(
            review ->
                review.path("status").path("authenticated").asBoolean()
                    ? access(review.path("status").path("user"))
                    : CompletableFuture.completedFuture(Verdict.UNKNOWN));
  }

  private CompletableFuture<Verdict> access(JsonNode user) {
    List<String> groups = new ArrayList<>();
    user.path("groups").forEach(group -> groups.add(group.asText()));
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("user", user.path("username").asText());
    spec.put("groups", groups);
    spec.put("nonResourceAttributes", Map.of("path", path, "verb", "get"));
    return apiServer
        .create(
            new ResourcePath("authorization.k8s.io/v1", "subjectaccessreviews", null, null, null),
            Map.of(
                "apiVersion",
                "authorization.k8s.io/v1",
                "kind",
                "SubjectAccessReview",
                "spec",
                spec))
        .thenApply(ApiServer::parse)
        .thenApply(
            review ->
                review.path("status").path("allowed").asBoolean()
                    ? Verdict.ALLOWED
                    : Verdict.FORBIDDEN);
  }
}
