package dev.waymark.controller.webhook;

import dev.waymark.controller.webhook.AdmissionReview.MalformedReviewException;
import dev.waymark.status.http.HttpAnswer;
import dev.waymark.status.http.RequestAnswerer;
import dev.waymark.status.http.RequestHead;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the API server: finds the webhook by its path, reads the question, lets the webhook
 * decide on a thread of its own, and writes the answer. Whatever is asked gets an answer before the
 * API server stops waiting for it.
 */
final class WebhookEndpoint implements RequestAnswerer {

  /** Longest question, in bytes: two objects of the largest size that etcd takes, and room. */
  static final int MAX_BODY = 7 * 1024 * 1024;

  private static final Logger log = LoggerFactory.getLogger(WebhookEndpoint.class);

  private final Map<String, Webhook> webhooks;
  private final Executor executor;
  private final Duration limit;

  /**
   * Makes an endpoint.
   *
   * @param webhooks by their path
   * @param executor runs them
   * @param limit for an answer, below the API server's own, which is 10 s by default
   */
  WebhookEndpoint(Map<String, Webhook> webhooks, Executor executor, Duration limit) {
    this.webhooks = Map.copyOf(webhooks);
    this.executor = executor;
    this.limit = limit;
  }

  @Override
  public Future<HttpAnswer> answer(RequestHead head, Supplier<Future<Buffer>> body) {
    // The API server adds ?timeout=10s.
    Webhook webhook = webhooks.get(head.target().replaceFirst("\\?.*", ""));
    if (webhook == null) {
      return Future.succeededFuture(HttpAnswer.text(404, "there is no such webhook\n"));
    } else if (!head.method().equals("POST")) {
      return Future.succeededFuture(HttpAnswer.text(405, "webhooks are asked by POST\n"));
    } else if (head.contentLength() > MAX_BODY) {
      return Future.succeededFuture(tooLarge());
    }
    return body.get().compose(bytes -> answer(webhook, bytes));
  }

  private Future<HttpAnswer> answer(Webhook webhook, Buffer body) {
    if (body.length() > MAX_BODY) {
      return Future.succeededFuture(tooLarge());
    }
    AdmissionRequest request;
    try {
      request = AdmissionReview.read(body.getBytes());
    } catch (MalformedReviewException e) {
      return Future.succeededFuture(HttpAnswer.text(400, e.getMessage() + "\n"));
    }
    return Future.fromCompletionStage(
        decide(webhook, request)
            .thenApply(
                decision -> HttpAnswer.json(200, AdmissionReview.write(request.uid(), decision))));
  }

  private CompletableFuture<Decision> decide(Webhook webhook, AdmissionRequest request) {
    if (!request.storesObject()) {
      return CompletableFuture.completedFuture(Decision.ALLOWED);
    }
    try {
      return CompletableFuture.supplyAsync(() -> review(webhook, request), executor)
          .orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS)
          .exceptionally(WebhookEndpoint::failed);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.completedFuture(
          Decision.internalError("the webhook is shutting down"));
    }
  }

  private static Decision review(Webhook webhook, AdmissionRequest request) {
    try {
      return webhook.review(request);
    } catch (UnreadableObjectException e) {
      return Decision.badRequest(e.getMessage());
    } catch (RuntimeException e) {
      log.error("A webhook could not decide: {}", e.toString());
      log.debug("A webhook could not decide", e);
      return Decision.internalError("the webhook could not decide: " + e.getMessage());
    }
  }

  private static Decision failed(Throwable failure) {
    if (failure instanceof TimeoutException) {
      return Decision.internalError("the webhook could not decide in time");
    }
    log.error("A defect in a webhook", failure);
    return Decision.internalError("a defect in the webhook");
  }

  private static HttpAnswer tooLarge() {
    return HttpAnswer.text(413, "more than " + MAX_BODY + " bytes\n");
  }
}
