package dev.waymark.reporter;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.waymark.reporter.FaultyServer.Fault;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HttpsEndpointTest {
  private static final TestCa CA = new TestCa("cluster");
  private static final SSLContext SERVER = CA.serverFor("127.0.0.1", "localhost");
  private static final byte[] DOCUMENT = "{\"loss\":\"é\"}".getBytes(StandardCharsets.UTF_8);
  private static final Duration AMPLE = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(1000);

  @TempDir Path folder;
  private final List<AutoCloseable> opened = new ArrayList<>();

  @BeforeEach
  void mountTokenAndCa() throws IOException {
    Files.writeString(token(), "secret\n");
    TestCa.write(ca(), CA);
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  @Test
  void postsTheDocumentWithTokenAndLength() throws IOException {
    FaultyServer server = server();

    HttpAnswer answer = endpoint(server.url()).post(DOCUMENT, in(AMPLE));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.excerpt()).isEqualTo("{}");
    FaultyServer.Request request = server.requests().get(0);
    assertThat(request.body).isEqualTo("{\"loss\":\"é\"}");
    assertThat(request.head)
        .startsWith("POST /apis/status HTTP/1.1\r\nHost: 127.0.0.1:" + server.port() + "\r\n");
    assertThat(request.field("Authorization")).isEqualTo("Bearer secret");
    assertThat(request.field("Content-Type")).isEqualTo("application/json");
    assertThat(request.field("Content-Length")).isEqualTo("13");
  }

  @ParameterizedTest
  @CsvSource({
    "https://127.0.0.1:PORT, /",
    "https://127.0.0.1:PORT/, /",
    "https://127.0.0.1:PORT/a%20b/c, /a%20b/c",
    "https://127.0.0.1:PORT/a?b=c%26d, /a?b=c%26d"
  })
  void theTargetIsTheUrlsPathAsItIs(String url, String target) throws IOException {
    FaultyServer server = server();

    URI uri = URI.create(url.replace("PORT", String.valueOf(server.port())));
    endpoint(uri).post(DOCUMENT, in(AMPLE));

    assertThat(server.requests().get(0).head).startsWith("POST " + target + " HTTP/1.1\r\n");
  }

  @Test
  void withoutATokenFileThereIsNoAuthorization() throws IOException {
    FaultyServer server = server();

    HttpsEndpoint endpoint = new HttpsEndpoint(server.url(), null, ca());
    opened.add(endpoint::close);
    endpoint.post(DOCUMENT, in(AMPLE));

    assertThat(server.requests().get(0).head).doesNotContain("Authorization");
  }

  @Test
  void aHostNameIsVerifiedAndAnIpv6AddressToo() throws IOException {
    FaultyServer named = server();
    endpoint(named.urlFor("localhost")).post(DOCUMENT, in(AMPLE));
    assertThat(named.requests().get(0).field("Host")).startsWith("localhost:");

    FaultyServer v6 = new FaultyServer(CA.serverFor("::1"), "::1", 0);
    opened.add(v6);
    endpoint(v6.urlFor("[::1]")).post(DOCUMENT, in(AMPLE));
    assertThat(v6.requests().get(0).field("Host")).isEqualTo("[::1]:" + v6.port());
  }

  @Test
  void oneConnectionServesAllReports() throws IOException {
    FaultyServer server = server();
    HttpsEndpoint endpoint = endpoint(server.url());

    for (int i = 0; i < 3; i++) {
      assertThat(endpoint.post(DOCUMENT, in(AMPLE)).status()).isEqualTo(200);
    }

    assertThat(server.requests()).hasSize(3);
    assertThat(server.connections()).isEqualTo(1);
  }

  @Test
  void anEchoInChunksKeepsTheConnection() throws IOException {
    FaultyServer server =
        server()
            .answers(
                request ->
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9c40\r\n"
                        + "x".repeat(40_000)
                        + "\r\n0\r\n\r\n");
    HttpsEndpoint endpoint = endpoint(server.url());

    endpoint.post(DOCUMENT, in(AMPLE));
    endpoint.post(DOCUMENT, in(AMPLE));

    assertThat(server.connections()).isEqualTo(1);
  }

  @Test
  void aKeptConnectionThatTheServerClosedIsReplacedAtOnce() throws IOException {
    FaultyServer server = server();
    HttpsEndpoint endpoint = endpoint(server.url());
    endpoint.post(DOCUMENT, in(AMPLE));

    server.dropKeptConnections();
    assertThat(endpoint.post(DOCUMENT, in(AMPLE)).status()).isEqualTo(200);

    server.fault(Fault.CLOSE_AFTER_ANSWER);
    endpoint.post(DOCUMENT, in(AMPLE));
    await().until(() -> server.openConnections() == 0);
    assertThat(endpoint.post(DOCUMENT, in(AMPLE)).status()).isEqualTo(200);

    assertThat(server.connections()).isEqualTo(3);
    assertThat(server.requests()).hasSize(4);
  }

  @Test
  void aTimeoutThatAProxyToldTheIdleConnectionIsNoAnswer() throws IOException {
    FaultyServer server = server();
    HttpsEndpoint endpoint = endpoint(server.url());
    endpoint.post(DOCUMENT, in(AMPLE));

    server.answers(r -> FaultyServer.answer(server.connections() == 1 ? 408 : 200, ""));
    assertThat(endpoint.post(DOCUMENT, in(AMPLE)).status()).isEqualTo(200);

    server.answers(408).dropKeptConnections();
    assertThat(endpoint.post(DOCUMENT, in(AMPLE)).status()).isEqualTo(408);
  }

  @Test
  void anAnswerThatEndsTheConnectionIsFollowedByANewOne() throws IOException {
    FaultyServer server =
        server()
            .answers(r -> "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}");
    HttpsEndpoint endpoint = endpoint(server.url());

    endpoint.post(DOCUMENT, in(AMPLE));
    endpoint.post(DOCUMENT, in(AMPLE));

    assertThat(server.connections()).isEqualTo(2);
    await().until(() -> server.openConnections() == 0);
  }

  @ParameterizedTest
  @CsvSource({
    "HANG_BEFORE_HANDSHAKE, 'connected, but no TLS handshake within 1000 ms'",
    "HANG_AFTER_HANDSHAKE,  'connected, but no complete answer within 1000 ms'",
    "HANG_AFTER_REQUEST,    'connected, but no complete answer within 1000 ms'",
    "TRICKLE,               'connected, but no complete answer within 1000 ms'",
    "RESET_AT_ACCEPT,       'connection'",
    "RESET_AFTER_REQUEST,   'the connection broke'",
    "CLOSE_AFTER_REQUEST,   'the server closed the connection without an answer'",
    "SPEAK_NONSENSE,        'the answer is no HTTP/1.1: 220 mail.example.org'",
    "SPEAK_PLAIN_HTTP,      'TLS handshake failed'"
  })
  void whateverTheServerDoesTheAttemptEndsInTime(Fault fault, String message) {
    FaultyServer server = server().fault(fault);
    // The first handshake of a JVM is slow; only the hanging ones need to be cut short here.
    Duration limit = message.contains("1000 ms") ? SHORT : AMPLE;
    warmUp();
    HttpsEndpoint endpoint = endpoint(server.url());

    long start = System.nanoTime();
    Throwable thrown = catchThrowable(() -> endpoint.post(DOCUMENT, in(limit)));

    assertThat(thrown).isInstanceOf(IOException.class).hasMessageContaining(message);
    assertThat(NANOSECONDS.toMillis(System.nanoTime() - start)).isLessThan(4000);
    await().until(() -> server.openConnections() == 0 || message.contains("1000 ms"));
  }

  @Test
  void aDeadlineHoldsOnAKeptConnectionToo() throws IOException {
    FaultyServer server = server();
    HttpsEndpoint endpoint = endpoint(server.url());
    endpoint.post(DOCUMENT, in(AMPLE));

    server.fault(Fault.HANG_AFTER_REQUEST);
    assertThatThrownBy(() -> endpoint.post(DOCUMENT, in(SHORT)))
        .hasMessageContaining("no complete answer within 1000 ms");

    server.fault(Fault.NONE);
    assertThat(endpoint.post(DOCUMENT, in(AMPLE)).status()).isEqualTo(200);
    assertThat(server.connections()).isEqualTo(2);
  }

  @Test
  void theLargestDocumentIsWrittenEvenIfNobodyReadsIt() {
    FaultyServer server = server().fault(Fault.HANG_AFTER_HANDSHAKE);
    warmUp();

    assertThatThrownBy(() -> endpoint(server.url()).post(new byte[60_000], in(SHORT)))
        .hasMessageContaining("no complete answer");
  }

  @Test
  void aPortBehindAWallIsToldWithAHint() throws IOException {
    try (ServerSocket wall = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      fill(wall);
      HttpsEndpoint endpoint =
          endpoint(URI.create("https://127.0.0.1:" + wall.getLocalPort() + "/"));
      String hint = "does a NetworkPolicy block port " + wall.getLocalPort() + "?";

      assertThatThrownBy(() -> endpoint.post(DOCUMENT, in(SHORT)))
          .hasMessage("no connection within 1000 ms (" + hint + ")");
      assertThat(endpoint.hint()).isEqualTo(hint);
    }
  }

  @Test
  void nobodyThereIsToldAsSuch() throws IOException {
    FaultyServer gone = server();
    gone.close();

    HttpsEndpoint refusing = endpoint(gone.url());
    assertThatThrownBy(() -> refusing.post(DOCUMENT, in(AMPLE)))
        .hasMessageStartingWith("no connection: Connection refused");
    assertThat(refusing.hint()).isEmpty();

    HttpsEndpoint unknown = endpoint(URI.create("https://no.such.host.invalid/"));
    String hint = "does a NetworkPolicy block DNS, port 53?";
    assertThatThrownBy(() -> unknown.post(DOCUMENT, in(AMPLE)))
        .hasMessage("the host name no.such.host.invalid does not resolve (" + hint + ")");
    assertThat(unknown.hint()).isEqualTo(hint);
  }

  /** Whoever waits for a post no longer than this can be told what it waits for. */
  @Test
  void aPostInFlightGivesAHintUntilItIsConnected() throws IOException {
    try (ServerSocket wall = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      fill(wall);
      HttpsEndpoint endpoint =
          endpoint(URI.create("https://127.0.0.1:" + wall.getLocalPort() + "/"));
      assertThat(endpoint.hint()).isEmpty();

      CompletableFuture<Throwable> post =
          CompletableFuture.supplyAsync(
              () -> catchThrowable(() -> endpoint.post(DOCUMENT, in(AMPLE))));

      await().until(() -> endpoint.hint().contains("port " + wall.getLocalPort()));
      endpoint.close();
      assertThat(post).succeedsWithin(AMPLE).isInstanceOf(IOException.class);
    }
    FaultyServer server = server();
    HttpsEndpoint reached = endpoint(server.url());
    reached.post(DOCUMENT, in(AMPLE));
    assertThat(reached.hint()).isEmpty();
  }

  @Test
  void withNoTimeLeftNothingIsTried() {
    FaultyServer server = server();

    assertThatThrownBy(() -> endpoint(server.url()).post(DOCUMENT, in(Duration.ZERO)))
        .hasMessageContaining("no connection within 0 ms");
    assertThat(server.connections()).isZero();
  }

  @Test
  void aStrangersCertificateIsRefused() {
    FaultyServer server =
        server().certificate(new TestCa("cluster").serverFor("127.0.0.1", "localhost"));

    assertThatThrownBy(() -> endpoint(server.url()).post(DOCUMENT, in(AMPLE)))
        .hasMessage("the server's certificate is not signed by a CA in " + ca());
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void aCertificateForAnotherHostIsRefused() {
    FaultyServer server = server().certificate(CA.serverFor("elsewhere.svc", "127.0.0.2"));

    assertThatThrownBy(() -> endpoint(server.url()).post(DOCUMENT, in(AMPLE)))
        .hasMessageContaining("the server's certificate is not for 127.0.0.1: ");
    assertThatThrownBy(() -> endpoint(server.urlFor("localhost")).post(DOCUMENT, in(AMPLE)))
        .hasMessageContaining("the server's certificate is not for localhost: ");
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void anExpiredCertificateIsRefused() {
    FaultyServer server = server().certificate(CA.expiredServerFor("127.0.0.1"));

    assertThatThrownBy(() -> endpoint(server.url()).post(DOCUMENT, in(AMPLE)))
        .hasMessageContaining("the server's certificate has expired (");
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void withoutABundleTheDefaultTrustStoreKnowsNoPrivateCa() {
    FaultyServer server = server();
    HttpsEndpoint endpoint = new HttpsEndpoint(server.url(), token(), null);
    opened.add(endpoint::close);

    assertThatThrownBy(() -> endpoint.post(DOCUMENT, in(AMPLE)))
        .hasMessage("the server's certificate is not signed by a CA in the JVM's trust store");
  }

  @Test
  void aRotatedCaIsFollowedOnceItsFileIsThere() throws IOException {
    FaultyServer server = server();
    HttpsEndpoint endpoint = endpoint(server.url());
    endpoint.post(DOCUMENT, in(AMPLE));

    TestCa next = new TestCa("cluster");
    server.certificate(next.serverFor("127.0.0.1")).dropKeptConnections();
    assertThatThrownBy(() -> endpoint.post(DOCUMENT, in(AMPLE)))
        .hasMessageContaining("not signed by a CA in");

    TestCa.write(ca(), CA, next);
    assertThat(endpoint.post(DOCUMENT, in(AMPLE)).status()).isEqualTo(200);
  }

  @Test
  void aRefusedHandshakeReadsTheBundleAgainEvenIfItLooksUnchanged() throws IOException {
    TestCa next = new TestCa("cluster");
    FaultyServer server = server();
    Files.writeString(ca(), padded(TestCa.pem(CA.certificate())));
    FileTime time = Files.getLastModifiedTime(ca());
    HttpsEndpoint endpoint = endpoint(server.url());
    endpoint.post(DOCUMENT, in(AMPLE));

    server.certificate(next.serverFor("127.0.0.1")).dropKeptConnections();
    Files.writeString(ca(), padded(TestCa.pem(next.certificate())));
    Files.setLastModifiedTime(ca(), time);

    assertThat(endpoint.post(DOCUMENT, in(AMPLE)).status()).isEqualTo(200);
  }

  @Test
  void aChangedBundleEndsTheKeptConnection() throws IOException {
    FaultyServer server = server();
    HttpsEndpoint endpoint = endpoint(server.url());
    endpoint.post(DOCUMENT, in(AMPLE));

    TestCa.write(ca(), new TestCa("cluster"));

    assertThatThrownBy(() -> endpoint.post(DOCUMENT, in(AMPLE)))
        .hasMessageContaining("not signed by a CA in");
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void aRenewedTokenIsSentAtOnce() throws IOException {
    FaultyServer server = server();
    HttpsEndpoint endpoint = endpoint(server.url());
    endpoint.post(DOCUMENT, in(AMPLE));

    Files.writeString(token(), "renewed\n");
    endpoint.post(DOCUMENT, in(AMPLE));

    assertThat(server.requests()).extracting(r -> r.token()).containsExactly("secret", "renewed");
    assertThat(server.connections()).isEqualTo(1);
  }

  @Test
  void withoutATokenNothingIsSent() throws IOException {
    FaultyServer server = server();
    HttpsEndpoint endpoint = endpoint(server.url());
    Files.delete(token());

    assertThatThrownBy(() -> endpoint.post(DOCUMENT, in(AMPLE)))
        .hasMessage("the token file " + token() + " does not exist");
    assertThat(server.connections()).isZero();
  }

  @Test
  void closeEndsAnAttemptThatHangs() {
    FaultyServer server = server().fault(Fault.HANG_AFTER_REQUEST);
    HttpsEndpoint endpoint = endpoint(server.url());
    CompletableFuture<Throwable> failure =
        CompletableFuture.supplyAsync(
            () -> catchThrowable(() -> endpoint.post(DOCUMENT, in(AMPLE))));
    await().until(() -> server.requests().size() == 1);

    endpoint.close();

    assertThat(failure)
        .succeedsWithin(5, TimeUnit.SECONDS)
        .isInstanceOfSatisfying(
            IOException.class, e -> assertThat(e).hasMessageContaining("the connection broke"));
    assertThatThrownBy(() -> endpoint.post(DOCUMENT, in(AMPLE))).hasMessage("closed");
    assertThat(server.connections()).isEqualTo(1);
  }

  @Test
  void closeEndsTheIdleConnection() throws IOException {
    FaultyServer server = server();
    HttpsEndpoint endpoint = endpoint(server.url());
    endpoint.post(DOCUMENT, in(AMPLE));
    assertThat(server.openConnections()).isEqualTo(1);

    endpoint.close();

    await().until(() -> server.openConnections() == 0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          http://host/status          | http://host/status is no https URL; over anything else the token would travel in clear
          //host/status               | //host/status is no https URL; over anything else the token would travel in clear
          https:status                | https:status has no valid host name
          https:///status             | https:///status has no valid host name
          https://under_score/status  | https://under_score/status has no valid host name
          https://host:70000/status   | https://host:70000/status has no valid port
          https://host:0/status       | https://host:0/status has no valid port
          https://me:secret@host/     | https://host may not carry a user name or password
          """)
  void aUrlThatCannotBeUsedIsRefusedInWords(URI url, String problem) {
    assertThat(HttpsEndpoint.problemWith(url)).isEqualTo(problem);
    assertThatThrownBy(() -> new HttpsEndpoint(url, null, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(problem);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"https://h", "HTTPS://h.svc:10443/a", "https://[::1]:65535/", "https://1.2.3.4/"})
  void otherUrlsAreFine(URI url) {
    assertThat(HttpsEndpoint.problemWith(url)).isNull();
  }

  @Test
  void itsNameIsHostAndPort() {
    assertThat(endpoint(URI.create("https://h.svc/status")).name()).isEqualTo("https://h.svc:443");
    assertThat(endpoint(URI.create("https://[::1]:8/status")).name()).isEqualTo("https://[::1]:8");
  }

  /** Nobody accepts: with the queue full, Linux drops what asks for a connection. */
  private void fill(ServerSocket wall) throws IOException {
    for (int i = 0; i < 8; i++) {
      SocketChannel waiting = SocketChannel.open();
      opened.add(waiting);
      waiting.configureBlocking(false);
      waiting.connect(wall.getLocalSocketAddress());
    }
  }

  private static Deadline in(Duration limit) {
    return Deadline.in(limit);
  }

  private FaultyServer server() {
    FaultyServer server = new FaultyServer(SERVER);
    opened.add(server);
    return server;
  }

  private HttpsEndpoint endpoint(URI url) {
    HttpsEndpoint endpoint = new HttpsEndpoint(url, token(), ca());
    opened.add(0, endpoint::close);
    return endpoint;
  }

  /** Loads the classes of a handshake, so that a short deadline measures the server only. */
  private void warmUp() {
    FaultyServer server = server();
    assertThat(catchThrowable(() -> endpoint(server.url()).post(DOCUMENT, in(AMPLE)))).isNull();
  }

  /** Certificates differ in length; files of the same length must not differ in their stamps. */
  private static String padded(String pem) {
    return pem + " ".repeat(4096 - pem.length());
  }

  private Path token() {
    return folder.resolve("token");
  }

  private Path ca() {
    return folder.resolve("ca.crt");
  }
}
