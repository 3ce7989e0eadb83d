package dev.waymark.reporter;

import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.reporter.FaultyServer.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sender and its endpoint together, against a real TLS server with all its faults. */
@Timeout(120)
class StatusSenderFaultsTest {
  private static final TestCa CA = new TestCa("cluster");
  private static final SSLContext SERVER = CA.serverFor("127.0.0.1");
  private static final Duration INTERVAL = Duration.ofMillis(50);
  private static final Duration AMPLE = Duration.ofSeconds(20);

  /**
   * A hundredth of the real ones, so that an endpoint which isn't there is asked for again soon.
   */
  private static final Duration MAX_BACK_OFF = Duration.ofMillis(250);

  /** More than an endpoint that is well ever takes; nobody waits 5 s for one that hangs. */
  private static final Duration IMPATIENCE = Duration.ofMillis(500);

  @TempDir Path folder;
  private final LogLines lines = new LogLines();
  private final FakeSource source = new FakeSource();
  private FaultyServer server;
  private StatusSender sender;

  @BeforeEach
  void begin() throws IOException {
    Files.writeString(token(), "secret");
    TestCa.write(ca(), CA);
    server = new FaultyServer(SERVER);
    sender = new StatusSender(source, endpoint(), INTERVAL, lines.log());
  }

  @AfterEach
  void end() {
    sender.stop();
    server.close();
    lines.close();
    await().until(() -> threads("waymark-sender") == 0);
  }

  /** Faults of the server that a later recovery ends. */
  static Stream<Arguments> faults() {
    return Stream.of(
        fault("reset at accept", s -> s.fault(Fault.RESET_AT_ACCEPT), "connection"),
        fault("reset after request", s -> s.fault(Fault.RESET_AFTER_REQUEST), "connection broke"),
        fault("closed after request", s -> s.fault(Fault.CLOSE_AFTER_REQUEST), "without an answer"),
        fault("nonsense", s -> s.fault(Fault.SPEAK_NONSENSE), "no HTTP/1.1"),
        fault("hangs", s -> s.fault(Fault.HANG_BEFORE_HANDSHAKE), "no TLS handshake within"),
        fault(
            "hangs in TLS", s -> s.fault(Fault.HANG_AFTER_HANDSHAKE), "no complete answer within"),
        fault("no answer", s -> s.fault(Fault.HANG_AFTER_REQUEST), "no complete answer within"),
        fault("trickles", s -> s.fault(Fault.TRICKLE), "no complete answer within"),
        fault("no TLS", s -> s.fault(Fault.SPEAK_PLAIN_HTTP), "TLS handshake failed"),
        fault("500", s -> s.answers(500), "it answered 500 no luck"),
        fault("403", s -> s.answers(403), "it answered 403 no luck (it refuses the token"),
        fault("404", s -> s.answers(404), "it answered 404 no luck (is the TrainJob gone"),
        fault("413 whatever the size", s -> s.answers(413), "it answered 413 no luck"),
        fault("422 whatever the size", s -> s.answers(422), "it answered 422 no luck"),
        fault("another CA", s -> s.certificate(new TestCa("x").serverFor("127.0.0.1")), "signed"),
        fault("another host", s -> s.certificate(CA.serverFor("127.0.0.9")), "is not for"),
        fault("expired", s -> s.certificate(CA.expiredServerFor("127.0.0.1")), "has expired"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void anOutageIsOneWarningAndOneInfoAndReportsComeAgain(
      String name, Consumer<FaultyServer> fault, String reason) {
    ImpatientEndpoint endpoint = new ImpatientEndpoint(endpoint());
    SendSchedule schedule = new SendSchedule(INTERVAL, MAX_BACK_OFF, System.nanoTime(), () -> 0);
    sender = new StatusSender(source, endpoint, schedule, lines.log(), StatusSender::newThread);
    source.running();
    sender.start();
    await().until(() -> accepted() >= 2);

    fault.accept(server);
    endpoint.limit = IMPATIENCE; // not before, so that only the fault can make an attempt fail
    server.dropKeptConnections();
    await().atMost(AMPLE).until(() -> failures() >= 2);
    assertThat(lines.warnings()).hasSize(1).first().asString().contains("Training goes on");
    assertThat(failureLines()).anyMatch(line -> line.contains(reason));

    long before = accepted();
    endpoint.limit = AMPLE; // before, so that no report fails any more
    server.fault(Fault.NONE).certificate(SERVER).answers(request -> FaultyServer.answer(200, "{}"));
    await().atMost(AMPLE).until(() -> accepted() >= before + 2);

    assertThat(lines.warnings()).hasSize(1);
    assertThat(lines.infos()).hasSize(1).first().asString().contains("reports reach https://127");
    long lastWord = source.endRun();
    assertThat(sender.flush(AMPLE)).isTrue();
    assertThat(bodies()).last().isEqualTo("full " + lastWord);
  }

  @ParameterizedTest
  @CsvSource({
    "HANG_BEFORE_HANDSHAKE, no TLS handshake within",
    "HANG_AFTER_HANDSHAKE, no complete answer within",
    "HANG_AFTER_REQUEST, no complete answer within",
    "TRICKLE, no complete answer within"
  })
  void aFlushAgainstAServerThatHangsEndsAtItsLimitWithOneWarning(Fault fault, String reason) {
    source.running();
    sender.start();
    await().until(() -> accepted() >= 1);
    server.fault(fault).dropKeptConnections();
    source.endRun();

    long start = System.nanoTime();
    assertThat(sender.flush(Duration.ofMillis(2000))).isFalse();

    assertThat(System.nanoTime() - start).isLessThan(TimeUnit.MILLISECONDS.toNanos(4500));
    await()
        .atMost(AMPLE)
        .untilAsserted(
            () ->
                assertThat(Stream.concat(lines.warnings().stream(), lines.debugs().stream()))
                    .anyMatch(line -> line.contains(reason)));
    assertThat(lines.warnings()).hasSize(1);
  }

  @ParameterizedTest(name = "an attempt in flight: {0}")
  @ValueSource(booleans = {true, false})
  void aKeptConnectionThatGoesSilentDoesNotCostTheLastWord(boolean inFlight) {
    Duration interval = inFlight ? INTERVAL : Duration.ofHours(1);
    sender = new StatusSender(source, endpoint(), interval, lines.log(), () -> 0);
    source.running();
    sender.start();
    await().until(() -> accepted() >= 1);
    server.silenceKeptConnections();
    await().until(() -> server.unanswered() == (inFlight ? 1 : 0));
    long lastWord = source.endRun();

    assertThat(sender.flush(Duration.ofSeconds(3))).isTrue();

    assertThat(bodies()).last().isEqualTo("full " + lastWord);
    assertThat(server.connections()).isEqualTo(2);
    assertThat(lines.warnings()).isEmpty();
  }

  @Test
  void theSecondAttemptOfAFlushIsMadeOnAnotherConnection() {
    server.answers(request -> FaultyServer.answer(server.connections() == 1 ? 503 : 200, "{}"));
    source.endRun();

    assertThat(sender.flush(Duration.ofSeconds(3))).isTrue();

    assertThat(server.connections()).isEqualTo(2);
  }

  @Test
  void aSlowServerIsNoFault() {
    server.delay(1000);
    source.running();
    sender.start();

    await().atMost(AMPLE).until(() -> accepted() >= 1);
    long lastWord = source.endRun();

    assertThat(sender.flush(AMPLE)).isTrue();
    assertThat(bodies()).last().isEqualTo("full " + lastWord);
    assertThat(lines.warnings()).isEmpty();
  }

  @Test
  void aServerThatIsAwayAndBackOnTheSamePortIsFoundAgain() {
    source.running();
    sender.start();
    await().until(() -> accepted() >= 1);
    int port = server.port();

    server.close();
    await().atMost(AMPLE).until(() -> failures() >= 2);
    server = new FaultyServer(SERVER, "127.0.0.1", port);

    await().atMost(AMPLE).until(() -> server.requests().size() >= 2);
    assertThat(lines.warnings()).hasSize(1).first().asString().contains("no connection");
    assertThat(lines.infos()).hasSize(1);
  }

  @Test
  void aTokenThatWasJustRenewedCostsNothing() throws IOException {
    server.answers(
        request ->
            FaultyServer.answer(request.token().equals("renewed") ? 200 : 403, renewToken()));
    source.running();
    sender.start();

    await().until(() -> accepted() >= 2);

    assertThat(failures()).isZero();
    assertThat(server.requests().stream().limit(3).map(FaultyServer.Request::token))
        .containsExactly("secret", "renewed", "renewed");
    assertThat(lines.warnings()).isEmpty();
  }

  @Test
  void aTokenThatComesLateIsWaitedFor() throws IOException {
    Files.delete(token());
    source.running();
    sender.start();
    await().until(() -> failures() >= 2);
    assertThat(server.requests()).isEmpty();

    Files.writeString(token(), "late");

    await().atMost(AMPLE).until(() -> accepted() >= 1);
    assertThat(lines.warnings())
        .hasSize(1)
        .first()
        .asString()
        .contains("the token file " + token() + " does not exist");
  }

  @Test
  void aTrainJobThatIsGoneIsAskedForSeldomAndTheHintIsGivenOnce() {
    server.answers(404);
    source.running();
    sender.start();

    await().until(() -> failures() == 1);
    source.endRun();
    assertThat(sender.flush(AMPLE)).isFalse();

    assertThat(server.requests()).hasSize(3); // one, and the two of the flush
    assertThat(lines.warnings())
        .hasSize(1)
        .first()
        .asString()
        .contains("is the TrainJob gone, or the feature gate TrainJobStatus off?");
  }

  @ParameterizedTest
  @CsvSource({"413, full, essential", "422, full, essential", "422, full|essential, bare"})
  void metricsThatAreRefusedDoNotKeepProgressBack(int status, String refused, String taken) {
    List<String> sizes = List.of(refused.split("\\|"));
    server.answers(
        request ->
            FaultyServer.answer(sizes.contains(request.body.split(" ")[0]) ? status : 200, "{}"));
    source.running();
    sender.start();

    await().until(() -> accepted() >= 3);

    assertThat(failures()).isZero();
    assertThat(bodies().stream().map(b -> b.split(" ")[0]).limit(sizes.size() + 2L))
        .startsWith(sizes.toArray(new String[0]))
        .endsWith(taken, taken);
    assertThat(lines.warnings()).hasSize(1).first().asString().contains("refuses the full report");
  }

  @Test
  void aCaThatIsRotatedDuringTheRunIsFollowed() {
    TestCa next = new TestCa("cluster");
    source.running();
    sender.start();
    await().until(() -> accepted() >= 1);

    server.certificate(next.serverFor("127.0.0.1"));
    TestCa.write(ca(), CA, next); // ends the kept connection

    long before = accepted();
    await().atMost(AMPLE).until(() -> accepted() >= before + 2);
    assertThat(lines.warnings()).isEmpty();
  }

  @Test
  void nothingIsLeftBehindByDozensOfSenders() {
    for (int i = 0; i < 30; i++) {
      source.endRun();
      StatusSender each = new StatusSender(source, endpoint(), INTERVAL, lines.log());
      assertThat(each.flush(AMPLE)).isTrue();
      each.stop();
    }

    await().until(() -> server.openConnections() == 0 && threads("waymark-sender") == 0);
    assertThat(source.acknowledged()).hasSize(30);
  }

  @Test
  void manyCallersAtOnceLoseNoLastWordAndSendNothingTwiceAtOnce() throws Exception {
    sender.stop();
    sender = new StatusSender(source, endpoint(), Duration.ofMillis(1), lines.log());
    source.running();
    sender.start();
    List<CompletableFuture<?>> callers = new ArrayList<>();
    for (int c = 0; c < 6; c++) {
      callers.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 25; i++) {
                  long mine = source.endRun();
                  // So long that even the first sixth is enough for the others' last words.
                  assertThat(sender.flush(Duration.ofMinutes(2))).isTrue();
                  assertThat(source.acknowledged()).contains(mine);
                  source.running();
                }
              }));
    }
    CompletableFuture.allOf(callers.toArray(new CompletableFuture<?>[0])).get(60, TimeUnit.SECONDS);
    long last = source.endRun();
    List<CompletableFuture<Boolean>> flushes = new ArrayList<>();
    for (int c = 0; c < 4; c++) {
      flushes.add(CompletableFuture.supplyAsync(() -> sender.flush(AMPLE)));
    }
    for (CompletableFuture<Boolean> flush : flushes) {
      assertThat(flush.get(30, TimeUnit.SECONDS)).isTrue();
    }

    List<Long> received =
        bodies().stream().map(b -> Long.parseLong(b.split(" ")[1])).collect(toList());
    assertThat(received).contains(last).doesNotHaveDuplicates();
    assertThat(server.connections()).isEqualTo(1);
    assertThat(lines.warnings()).isEmpty();
  }

  private int accepted() {
    return source.acknowledged().size();
  }

  /** Attempts that have failed and were told of; those of a flush are not. */
  private long failures() {
    return failureLines().count();
  }

  private Stream<String> failureLines() {
    return Stream.concat(lines.warnings().stream(), lines.debugs().stream())
        .filter(line -> line.startsWith("no report reach"));
  }

  private static Arguments fault(String name, Consumer<FaultyServer> fault, String reason) {
    return Arguments.of(name, fault, reason);
  }

  private HttpsEndpoint endpoint() {
    return new HttpsEndpoint(server.url(), token(), ca());
  }

  private List<String> bodies() {
    return server.requests().stream().map(r -> r.body).collect(toList());
  }

  private String renewToken() {
    try {
      Files.writeString(token(), "renewed");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return "{}";
  }

  private Path token() {
    return folder.resolve("token");
  }

  private Path ca() {
    return folder.resolve("ca.crt");
  }

  private static long threads(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().equals(name))
        .count();
  }

  /** The real one, which waits no longer than a test says, even if the sender would. */
  private static final class ImpatientEndpoint implements StatusEndpoint {
    private final StatusEndpoint endpoint;
    private volatile Duration limit = AMPLE;

    ImpatientEndpoint(StatusEndpoint endpoint) {
      this.endpoint = endpoint;
    }

    @Override
    public String name() {
      return endpoint.name();
    }

    @Override
    public HttpAnswer post(byte[] document, Deadline deadline) throws IOException {
      boolean shorter = limit.compareTo(deadline.limit()) < 0;
      return endpoint.post(document, shorter ? Deadline.in(limit) : deadline);
    }

    @Override
    public void disconnect() {
      endpoint.disconnect();
    }

    @Override
    public void close() {
      endpoint.close();
    }
  }
}
