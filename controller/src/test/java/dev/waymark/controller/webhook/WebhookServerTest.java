package dev.waymark.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WebhookServerTest {

  private final ExecutorService executor = WebhookServer.executor();
  private final CountDownLatch answered = new CountDownLatch(1);

  @AfterEach
  void end() {
    executor.shutdownNow();
  }

  @Test
  void questionsThatWaitForTheApiServerHoldUpNoOther() throws Exception {
    for (int i = 1; i < WebhookServer.THREADS; i++) {
      executor.execute(this::awaitAnswer);
    }

    CompletableFuture<String> other = CompletableFuture.supplyAsync(() -> "decided", executor);

    assertThat(other.get(30, TimeUnit.SECONDS)).isEqualTo("decided");
    assertThat(answered.getCount()).isEqualTo(1);
  }

  private void awaitAnswer() {
    try {
      answered.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
