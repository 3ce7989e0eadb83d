package dev.waymark.status;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waymark.status.StatusSink.Outcome;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class StatusServerLifecycleTest {

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost", "0.0.0.0"})
  void tellsThatItServes(String host) throws Exception {
    try (TestServer running = new TestServer(s -> s.host(host))) {
      assertThat(running.server.port()).isPositive();
      running.server.probe().toCompletableFuture().get(20, SECONDS);
    }
  }

  @Test
  void tellsThatItDoesNotServeAnyMore() throws Exception {
    try (TestServer running = new TestServer()) {
      running.server.close();

      assertThatThrownBy(() -> running.server.probe().toCompletableFuture().get(20, SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(ConnectException.class);
    }
  }

  @Test
  void servesOnAsManyEventLoopsAsItIsTold() throws Exception {
    Set<Thread> loops = ConcurrentHashMap.newKeySet();
    StatusSink sink =
        (trainJob, status) -> {
          loops.add(Thread.currentThread());
          return CompletableFuture.completedFuture(new Outcome.Written());
        };
    try (TestServer running = new TestServer(sink, s -> s.eventLoops(2));
        TlsClient one = running.connect();
        TlsClient other = running.connect()) {
      for (TlsClient client : List.of(one, other)) {
        client.send(running.goodRequest());
        assertThat(client.receive().code()).isEqualTo(200);
      }
      assertThat(loops).hasSize(2);
      running.server.probe().toCompletableFuture().get(20, SECONDS);

      running.server.close();
      assertThat(one.isClosedSilently()).isTrue();
      assertThat(other.isClosedSilently()).isTrue();
    }
  }

  @Test
  void letsRequestsInFlightEndBeforeItCloses() throws Exception {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    CompletableFuture<Void> reached = new CompletableFuture<>();
    StatusSink sink =
        (trainJob, status) -> {
          reached.complete(null);
          return outcome;
        };
    try (TestServer running = new TestServer(sink, s -> s);
        TlsClient busy = running.connect();
        TlsClient idle = running.connect()) {
      busy.send(running.goodRequest());
      reached.join();

      CompletableFuture<Void> closing = CompletableFuture.runAsync(running.server::close);
      assertThat(idle.isClosedSilently()).isTrue();
      assertThat(closing).isNotDone();
      assertRefusesConnections(running);

      outcome.complete(new Outcome.Written());
      assertThat(busy.receive().code()).isEqualTo(200);
      assertThat(busy.isClosedSilently()).isTrue();
      assertThat(closing).succeedsWithin(Duration.ofSeconds(4));
    }
  }

  @Test
  void doesNotWaitForEverForARequestInFlight() throws Exception {
    CompletableFuture<Void> reached = new CompletableFuture<>();
    StatusSink hanging =
        (trainJob, status) -> {
          reached.complete(null);
          return new CompletableFuture<>();
        };
    try (TestServer running = new TestServer(hanging, s -> s);
        TlsClient busy = running.connect()) {
      busy.send(running.goodRequest());
      reached.join();

      CompletableFuture<Void> closing = CompletableFuture.runAsync(running.server::close);

      assertThat(closing).succeedsWithin(Duration.ofSeconds(9));
      assertThat(busy.isClosedSilently()).isTrue();
    }
  }

  @Test
  void closesTwiceAndAfterVertx() throws Exception {
    TestServer running = new TestServer();
    running.server.close();
    assertThatCode(running.server::close).doesNotThrowAnyException();

    TestServer other = new TestServer();
    other.vertx().close().toCompletionStage().toCompletableFuture().join();
    assertThatCode(other.server::close).doesNotThrowAnyException();

    running.close();
  }

  @Test
  void saysWhyItCannotListen() throws Exception {
    try (TestServer running = new TestServer()) {
      int taken = running.server.port();

      assertThatThrownBy(() -> new TestServer(s -> s.port(taken)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("can't listen on 127.0.0.1:" + taken)
          .hasMessageContaining("in use");
    }
  }

  @Test
  void doesNotWaitOnAnEventLoop() throws Exception {
    try (TestServer running = new TestServer()) {
      CompletableFuture<Void> called = new CompletableFuture<>();
      running
          .vertx()
          .runOnContext(
              nothing -> {
                try {
                  running.server.close();
                  called.complete(null);
                } catch (IllegalStateException e) {
                  called.completeExceptionally(e);
                }
              });

      assertThatThrownBy(called::join).hasCauseInstanceOf(IllegalStateException.class);
      running.server.probe().toCompletableFuture().get(20, SECONDS);
    }
  }

  @Test
  void refusesSettingsThatMakeNoSense() {
    assertThatThrownBy(() -> new TestServer(s -> s.maxConnections(0)))
        .hasMessage("maxConnections must be at least 1, not 0");
    assertThatThrownBy(() -> new TestServer(s -> s.port(65_536)))
        .hasMessage("port must be from 0 to 65535, not 65536");
    assertThatThrownBy(() -> new TestServer(s -> s.port(-1)))
        .hasMessage("port must be from 0 to 65535, not -1");
    assertThatThrownBy(() -> new TestServer(s -> s.eventLoops(0)))
        .hasMessage("eventLoops must be at least 1, not 0");
    assertThatThrownBy(() -> new TestServer(s -> s.requestTimeout(Duration.ZERO)))
        .hasMessage("requestTimeout must be positive, not PT0S");
    assertThatThrownBy(() -> new TestServer(s -> s.idleTimeout(Duration.ofSeconds(-1))))
        .hasMessage("idleTimeout must be positive, not PT-1S");
  }

  /** While requests end, the port is still bound, but nobody gets further than the handshake. */
  private static void assertRefusesConnections(TestServer running) {
    await()
        .atMost(Duration.ofSeconds(4))
        .untilAsserted(
            () ->
                assertThatThrownBy(
                        () -> {
                          try (TlsClient late = running.connect()) {
                            late.send(running.goodRequest());
                            late.receive();
                          }
                        })
                    .isInstanceOf(IOException.class));
  }
}
