package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.status.http.HttpAnswer;
import dev.waymark.status.http.WebServer;
import dev.waymark.status.tls.ServerCertificate;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServingProbeTest {

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final Vertx vertx = Vertx.vertx();
  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

  @AfterEach
  void end() {
    executor.shutdownNow();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void aServerServesOnceItHasACertificate() throws Exception {
    ServerCertificate certificate = new ServerCertificate();
    ServingProbe probe = new ServingProbe(executor);
    assertThat(probe.problem()).contains("it has not started yet");

    try (WebServer server =
        WebServer.builder(vertx, (head, body) -> Future.succeededFuture(HttpAnswer.text(200, "ok")))
            .certificate(certificate)
            .host("127.0.0.1")
            .start()) {
      probe.start(server);
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () -> assertThat(probe.problem()).get().asString().startsWith("no TLS handshake: "));

      certificate.replace(TestCertificate.create().server());
      await().atMost(LIMIT).untilAsserted(() -> assertThat(probe.problem()).isEmpty());
    }
  }

  /** Threads that all wait for something probe no more, and the server may be as stuck as they. */
  @Test
  void anOldAnswerDoesNotCount() throws Exception {
    ServerCertificate certificate = new ServerCertificate();
    certificate.replace(TestCertificate.create().server());
    AtomicLong nanos = new AtomicLong();
    StuckExecutor stuck = new StuckExecutor();
    ServingProbe probe = new ServingProbe(stuck, nanos::get);
    try (WebServer server =
        WebServer.builder(vertx, (head, body) -> Future.succeededFuture(HttpAnswer.text(200, "ok")))
            .certificate(certificate)
            .host("127.0.0.1")
            .start()) {
      probe.start(server);
      await().atMost(LIMIT).until(() -> probe.problem().isEmpty());
      await().atMost(LIMIT).until(() -> stuck.next != null);

      nanos.addAndGet(Duration.ofSeconds(29).toNanos());
      assertThat(probe.problem()).isEmpty();
      nanos.addAndGet(Duration.ofSeconds(8).toNanos());
      assertThat(probe.problem()).contains("nobody has found out for 37 s whether it serves");

      stuck.next.run();
      await().atMost(LIMIT).until(() -> probe.problem().isEmpty());
    } finally {
      stuck.shutdownNow();
    }
  }

  /** Runs nothing. */
  private static final class StuckExecutor extends ScheduledThreadPoolExecutor {
    private volatile Runnable next;

    StuckExecutor() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable work, long delay, TimeUnit unit) {
      next = work;
      return null;
    }
  }
}
