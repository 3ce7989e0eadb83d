package dev.waymark.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waymark.status.StatusSink.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that send half a request, send it slowly or never stop don't get in others' way. */
@Timeout(120)
class SlowClientsTest {

  /** Long enough for a handshake on a busy machine. */
  private static final Duration SHORT = Duration.ofSeconds(2);

  /** A way to start a request and not end it. */
  enum Half {
    HANDSHAKE_ONLY,
    HALF_A_LINE,
    HALF_THE_HEADERS,
    NO_BODY,
    HALF_A_BODY,
    HALF_A_CHUNK,
    HALF_A_BODY_WITHOUT_TOKEN,
    HALF_A_LARGE_BODY;

    String text(TestServer running) throws Exception {
      return switch (this) {
        case HANDSHAKE_ONLY -> "";
        case HALF_A_LINE -> "POST /apis";
        case HALF_THE_HEADERS -> "POST / HTTP/1.1\r\nHost: localhost\r\nX-";
        case NO_BODY -> running.head(100);
        case HALF_A_BODY -> running.head(100) + "{\"trainerStatus\":";
        case HALF_A_CHUNK -> running.head("Transfer-Encoding: chunked") + "10\r\n{\"";
        case HALF_A_BODY_WITHOUT_TOKEN ->
            "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
                .formatted(TestServer.DEMO.statusPath());
        case HALF_A_LARGE_BODY -> running.head(1_000_000) + "{";
      };
    }

    /** Those that are answered before they have been sent. */
    boolean isAnswered() {
      return this == HALF_A_BODY_WITHOUT_TOKEN || this == HALF_A_LARGE_BODY;
    }
  }

  @Test
  void dozensOfHalfSentRequestsDoNotDelayAGoodOne() throws Exception {
    try (TestServer running = new TestServer(s -> s.requestTimeout(Duration.ofMinutes(1)))) {
      List<TlsClient> halves = new ArrayList<>();
      try {
        for (int i = 0; i < 64; i++) {
          TlsClient client = running.connect();
          halves.add(client);
          client.send(Half.values()[i % Half.values().length].text(running));
        }

        long start = System.nanoTime();
        assertAnswers(running);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
      } finally {
        for (TlsClient client : halves) {
          client.close();
        }
      }
    }
  }

  @Test
  void halfSentRequestsEndAtTheirDeadline() throws Exception {
    try (TestServer running = new TestServer(s -> s.requestTimeout(SHORT))) {
      Map<Half, TlsClient> clients = new EnumMap<>(Half.class);
      for (Half half : Half.values()) {
        TlsClient client = running.connect();
        clients.put(half, client);
        client.send(half.text(running));
        if (half.isAnswered()) {
          client.receive();
        }
      }

      assertThat(clients)
          .allSatisfy((half, client) -> assertThat(client.isClosedSilently()).isTrue());
      assertThat(running.reports).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HALF_THE_HEADERS", "HALF_A_BODY"})
  void aTrickleDoesNotMoveTheDeadline(Half half) throws Exception {
    try (TestServer running = new TestServer(s -> s.requestTimeout(SHORT));
        TlsClient client = running.connect()) {
      client.send(half.text(running));

      AtomicInteger sent = new AtomicInteger();
      await()
          .pollInterval(Duration.ofMillis(50))
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(
              () ->
                  assertThatThrownBy(
                          () -> {
                            client.send("x");
                            sent.incrementAndGet();
                          })
                      .isInstanceOf(IOException.class));
      assertThat(sent).hasPositiveValue();
    }
  }

  @Test
  void aLaterRequestHasItsOwnDeadline() throws Exception {
    try (TestServer running = new TestServer(s -> s.requestTimeout(SHORT));
        TlsClient client = running.connect()) {
      client.send(running.goodRequest());
      assertThat(client.receive().code()).isEqualTo(200);

      client.send(running.head(100));
      assertThat(client.isClosedSilently()).isTrue();
    }
  }

  @Test
  void aConnectionThatIsUsedOutlivesTheDeadlinesOfItsRequests() throws Exception {
    try (TestServer running = new TestServer(s -> s.requestTimeout(SHORT));
        TlsClient client = running.connect()) {
      long start = System.nanoTime();
      await()
          .pollInterval(Duration.ofMillis(100))
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                client.send(running.goodRequest());
                assertThat(client.receive().code()).isEqualTo(200);
                return System.nanoTime() - start > SHORT.multipliedBy(2).toNanos();
              });
    }
  }

  @Test
  void anIdleConnectionEnds() throws Exception {
    try (TestServer running = new TestServer(s -> s.idleTimeout(SHORT));
        TlsClient client = running.connect()) {
      client.send(running.goodRequest());
      assertThat(client.receive().code()).isEqualTo(200);

      assertThat(client.isClosedSilently()).isTrue();
    }
  }

  @Test
  void aConnectionWithoutAHandshakeEnds() throws Exception {
    try (TestServer running = new TestServer(s -> s.requestTimeout(SHORT));
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), running.server.port())) {
      socket.setSoTimeout(20_000);

      assertThat(socket.getInputStream().read()).isNegative();
    }
  }

  @ParameterizedTest
  @EnumSource
  void halfSentRequestsMakeRoomWhenTheServerIsFull(Half half) throws Exception {
    try (TestServer running = new TestServer(s -> s.maxConnections(2));
        TlsClient first = running.connect();
        TlsClient second = running.connect()) {
      first.send(half.text(running));
      second.send(half.text(running));
      if (half.isAnswered()) {
        first.receive();
        second.receive();
      }

      assertAnswers(running);

      assertThat(first.isClosedSilently()).isTrue();
    }
  }

  @Test
  void requestsThatWaitForTheSinkKeepTheirPlace() throws Exception {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    CompletableFuture<Void> reached = new CompletableFuture<>();
    StatusSink sink =
        (trainJob, status) -> {
          reached.complete(null);
          return outcome;
        };
    try (TestServer running = new TestServer(sink, s -> s.maxConnections(1));
        TlsClient first = running.connect()) {
      first.send(running.goodRequest());
      reached.join();

      assertThatThrownBy(
              () -> {
                try (TlsClient second = running.connect()) {
                  second.send(running.goodRequest());
                  second.receive();
                }
              })
          .isInstanceOf(IOException.class);

      outcome.complete(new Outcome.Written());
      assertThat(first.receive().code()).isEqualTo(200);
    }
  }

  @Test
  void anEndlessBodyIsAnsweredAndThenCutOff() throws Exception {
    try (TestServer running = new TestServer();
        TlsClient client = running.connect()) {
      String chunk = "1000\r\n" + "x".repeat(0x1000) + "\r\n";
      client.send(running.head("Transfer-Encoding: chunked"));
      for (int i = 0; i < 17; i++) {
        client.send(chunk);
      }
      assertThat(client.receive().code()).isEqualTo(422);

      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 10_000; i++) {
                  client.send(chunk);
                }
              })
          .isInstanceOf(IOException.class);
      assertAnswers(running);
    }
  }

  @Test
  void aClientThatGoesAwayLeavesNothingBehind() throws Exception {
    try (TestServer running = new TestServer(s -> s.maxConnections(1))) {
      for (Half half : Half.values()) {
        try (TlsClient client = running.connect()) {
          client.send(half.text(running));
        }
        assertAnswers(running);
      }
    }
  }

  private static void assertAnswers(TestServer running) throws Exception {
    try (TlsClient client = running.connect()) {
      client.send(running.goodRequest());
      assertThat(client.receive().code()).isEqualTo(200);
    }
  }
}
