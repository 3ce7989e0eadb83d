package dev.waymark.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.controller.TestCertificate;
import dev.waymark.status.http.WebServer;
import dev.waymark.status.tls.ServerCertificate;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WebhookRehearsalTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void end() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  /** A refusal would practise less. */
  @Test
  void theSampleIsAdmitted() {
    ServerCertificate certificate = new ServerCertificate(TestCertificate.create().server());
    try (WebhookRehearsal rehearsal =
        new WebhookRehearsal(
            vertx,
            (webhooks, executor) ->
                WebServer.builder(
                        vertx, new WebhookEndpoint(webhooks, executor, Duration.ofSeconds(8)))
                    .certificate(certificate))) {
      assertThat(rehearsal.ask())
          .hasSize(2)
          .extracting(answer -> new String(answer, StandardCharsets.UTF_8))
          .allSatisfy(answer -> assertThat(answer).contains("\"allowed\":true"));
    }
  }
}
