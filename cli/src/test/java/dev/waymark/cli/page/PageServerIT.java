package dev.waymark.cli.page;

import static dev.waymark.cli.page.Reports.status;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.cli.history.RecordedRun;
import dev.waymark.cli.history.RunHistory;
import dev.waymark.cli.page.PageClient.Events;
import dev.waymark.cli.page.PageClient.Response;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page's server as a client sees it that sends whatever it likes. */
@Timeout(60)
class PageServerIT {

  @TempDir Path directory;
  private Vertx vertx;
  private RunHistory history;
  private PageServer page;
  private PageClient client;

  @BeforeEach
  void start() throws IOException {
    vertx = Vertx.vertx();
    history = RunHistory.open(directory);
    page = PageServer.start(vertx, new RunPage(vertx, history), 0);
    client = new PageClient(page.url());
  }

  @AfterEach
  void stop() {
    page.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void theLinkGivesACookieAndLeadsToAnAddressWithoutTheSecret() throws IOException {
    Response response = client.get(page.url().getPath() + "?" + page.url().getQuery());

    assertThat(response.status()).isEqualTo(303);
    assertThat(response.header("location")).isEqualTo("/");
    assertThat(response.header("set-cookie"))
        .startsWith("waymark-" + client.port() + "=")
        .containsIgnoringCase("; HttpOnly")
        .contains("; SameSite=Strict")
        .doesNotContain(client.secret());
    assertThat(response.header("referrer-policy")).isEqualTo("no-referrer");
  }

  @Test
  void withTheCookieAllFilesOfThePageAreServed() throws IOException {
    String cookie = client.cookie();
    Response index = client.get("/", cookie);
    assertThat(index.status()).isEqualTo(200);
    assertThat(index.body()).doesNotContain(client.secret());

    List<String> files =
        Stream.of(index.body().split("\"")).filter(s -> s.startsWith("/")).toList();
    assertThat(files).contains("/page.js", "/page.css", "/uPlot.css", "/icon.svg");
    for (String file : files) {
      assertThat(client.get(file, cookie).status()).as(file).isEqualTo(200);
    }
    for (String module : List.of("page", "charts", "dom", "feed", "figures", "table", "text")) {
      Response script = client.get("/" + module + ".js", cookie);
      assertThat(script.header("content-type")).startsWith("text/javascript");
      assertThat(Stream.of(script.body().split("'")).filter(s -> s.startsWith("./")))
          .allSatisfy(i -> assertThat(client.get(i.substring(1), cookie).status()).isEqualTo(200));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/page.js", "/uPlot.js", "/api/events", "/api/runs/x/1", "/nothing"})
  void withoutTheCookieNothingIsServed(String path) throws IOException {
    for (String cookie : List.of("", "Cookie: waymark-" + client.port() + "=wrong\r\n")) {
      Response response = client.get(path, cookie);
      assertThat(response.status()).isEqualTo(403);
      assertThat(response.body()).contains("waymark run");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/?secret=wrong",
        "/?secret=",
        "/page.js?secret=%s",
        "/%s",
        "//evil.example/?secret=wrong"
      })
  void aWrongLinkIsRefused(String path) throws IOException {
    Response response = client.get(path.formatted(client.secret()));

    assertThat(response.status()).isEqualTo(403);
    assertThat(response.header("set-cookie")).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Referer: http://127.0.0.1:{port}/?secret={secret}\r\n",
        "Cookie: waymark-{port}={secret}\r\n",
        "Authorization: Bearer {secret}\r\n",
      })
  void theSecretCountsInTheAddressOnly(String header) throws IOException {
    String sent = header.replace("{port}", "" + client.port()).replace("{secret}", client.secret());
    assertThat(client.get("/", sent).status()).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example:{port}",
        "evil.example",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1:{port}@evil.example",
        "localhost.evil.example:{port}",
        ""
      })
  void anotherHostIsRefusedEvenWithTheCookieOrTheLink(String host) throws IOException {
    String header = "Host: " + host.replace("{port}", "" + client.port()) + "\r\n";
    for (String path : List.of("/", "/?secret=" + client.secret())) {
      Response response =
          client.send(
              "GET " + path + " HTTP/1.1\r\n" + header + client.cookie() + PageClient.CLOSE);
      assertThat(response.status()).isIn(400, 403);
      assertThat(response.header("set-cookie")).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/?%zz", "/?secret=%", "/api/events?a=%e"})
  void aQueryThatCannotBeDecodedIsRefusedOnceTheHostIsJudged(String path) throws IOException {
    String cookie = client.cookie();
    String foreign =
        "GET " + path + " HTTP/1.1\r\nHost: evil.example\r\n" + cookie + PageClient.CLOSE;
    assertThat(client.send(foreign).status()).isEqualTo(403);
    assertThat(client.get(path, cookie, "Origin: http://evil.example\r\n").status()).isEqualTo(403);
    Response response = client.get(path, cookie);
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body()).contains("can't be decoded");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://evil.example", "null", "http://127.0.0.1:1", "https://localhost"})
  void aForeignOriginIsRefusedEvenWithTheCookie(String origin) throws IOException {
    String header = "Origin: " + origin + "\r\n";
    for (String path : List.of("/", "/api/events", "/?secret=" + client.secret())) {
      Response response = client.get(path, client.cookie() + header);
      assertThat(response.status()).isEqualTo(403);
      assertThat(response.header("access-control-allow-origin")).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE"})
  void getOnly(String method) throws IOException {
    Response response =
        client.send(
            method + " / HTTP/1.1\r\n" + client.host() + client.cookie() + PageClient.CLOSE);
    assertThat(response.status()).isEqualTo(405);
    assertThat(response.header("allow")).isEqualTo("GET");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/page.js", "/api/runs/x/1", "/nothing"})
  void everyAnswerCarriesTheSecurityHeaders(String path) throws IOException {
    for (Response response : List.of(client.get(path, client.cookie()), client.get(path))) {
      assertThat(response.header("content-security-policy"))
          .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
          .doesNotContain("unsafe", "data:", "*");
      assertThat(response.header("x-content-type-options")).isEqualTo("nosniff");
      assertThat(response.header("referrer-policy")).isEqualTo("no-referrer");
      assertThat(response.header("cross-origin-resource-policy")).isEqualTo("same-origin");
      assertThat(response.header("cache-control")).isEqualTo("no-store");
    }
  }

  @Test
  void aRunIsServedWithItsCurvesAndWithoutControlCharacters() throws IOException {
    RecordedRun run =
        history.begin("default/\u202eiris\u0000", List.of("java", "a\u001b[0m"), now());
    run.report(now(), status(7, "current_step", "1", "loss", "0.5", "a\u0007b", "x\u009by"));
    run.report(now(), status(8, "current_step", "2", "loss", "NaN"));
    run.report(now(), status(9, "current_step", "3", "loss", "0.4", "a\u0007b", "x\u009by"));
    String path = "/api/runs/" + history.runs().get(0).id();

    Response response = client.get(path, client.cookie());
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.header("content-type")).startsWith("application/json");
    JsonNode document = response.json();
    assertThat(document.at("/run/trainJob").asText()).isEqualTo("default/iris");
    assertThat(document.at("/run/command").asText()).isEqualTo("java a[0m");
    assertThat(document.at("/run/percent").asInt()).isEqualTo(9);
    assertThat(document.at("/metrics/2/name").asText()).isEqualTo("ab");
    assertThat(document.at("/metrics/2/value").asText()).isEqualTo("xy");
    assertThat(document.at("/x").toString()).isEqualTo("[1.0,2.0,3.0]");
    assertThat(document.at("/series/0/values").toString()).isEqualTo("[0.5,\"NaN\",0.4]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/runs/x/1",
        "/api/runs/20261129T180000000Z-00000000/1",
        "/api/runs/..%2f..%2fetc/1",
        "/api/runs/x/99999999999999999999",
        "/../page.js",
        "/api"
      })
  void whatIsNotThereIsNotFound(String path) throws IOException {
    assertThat(client.get(path, client.cookie()).status()).isEqualTo(404);
  }

  @Test
  void eventsTellAllRunsThenEachChangeThenTheEnd() throws IOException {
    RecordedRun run = history.begin("default/iris", List.of("java"), now());
    try (Events events = events(client.cookie())) {
      assertThat(events.next("rows").at("/rows/0/state").asText()).isEqualTo("waiting");
      run.report(now(), status(42, "state", "running"));
      assertThat(events.next("row").at("/row/percent").asInt()).isEqualTo(42);

      RecordedRun elsewhere = RunHistory.open(directory).begin("default/other", List.of(), now());
      assertThat(events.next("row").at("/row/trainJob").asText()).isEqualTo("default/other");
      elsewhere.ended(0, now());
      assertThat(events.next("row").at("/row/state").asText()).isEqualTo("ended");

      RecordedRun last = history.begin("default/last", List.of(), now().plusSeconds(1));
      last.report(now(), status(100, "state", "completed", "loss", "0.1"));
      page.close();
      JsonNode goodbye = events.next("bye");
      assertThat(goodbye.at("/run/state").asText()).isEqualTo("completed");
      assertThat(goodbye.at("/series/0/values/0").asDouble()).isEqualTo(0.1);
      assertThat(events.lines()).noneMatch(line -> line.startsWith("event"));
    }
  }

  @Test
  void aPageThatDoesNotReadDoesNotKeepTheServerFromClosing() throws IOException {
    try (Events events = events(client.cookie())) {
      events.next("rows");
      page.close();
    }
  }

  @Test
  void tooManyOpenPagesAreRefused() throws IOException {
    String cookie = client.cookie();
    List<Events> open = new ArrayList<>();
    try {
      for (int i = 0; i < 32; i++) {
        open.add(events(cookie));
        open.get(i).next("rows");
      }
      assertThat(client.get("/api/events", cookie).status()).isEqualTo(503);
    } finally {
      for (Events events : open) {
        events.close();
      }
    }
    await()
        .atMost(10, TimeUnit.SECONDS)
        .untilAsserted(
            () -> {
              try (Events events = events(cookie)) {
                events.next("rows");
              }
            });
  }

  @Test
  void aSlowReaderMissesEventsAndThenGetsEverything() throws Exception {
    int events = 20_000;
    String kilobyte = "x".repeat(1024);
    HttpServer server =
        vertx
            .createHttpServer()
            .requestHandler(
                request -> {
                  EventStream stream =
                      new EventStream(request.response(), it -> it.send("rows", "all"));
                  stream.open();
                  for (int i = 0; i < events; i++) {
                    stream.send("row", kilobyte);
                  }
                })
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.actualPort())) {
      socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
      BufferedReader reader =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
      int seen = 0;
      int everything = 0;
      while (everything < 2) {
        String line = reader.readLine();
        seen += line.equals("event: row") ? 1 : 0;
        everything += line.equals("data: all") ? 1 : 0;
      }
      assertThat(seen).isPositive().isLessThan(events / 2);
    }
  }

  @Test
  void aPortThatIsTakenIsTold() {
    assertThatThrownBy(() -> PageServer.start(vertx, new RunPage(vertx, history), client.port()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("port " + client.port())
        .hasMessageContaining("--port");
  }

  @Test
  void listensOnLoopbackOnly() throws Exception {
    assertThat(page.url().getHost()).isEqualTo("127.0.0.1");
    for (var networkInterface : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      for (InetAddress address : Collections.list(networkInterface.getInetAddresses())) {
        if (!address.isLoopbackAddress()) {
          assertThatThrownBy(() -> new Socket(address, client.port()).close())
              .isInstanceOf(IOException.class);
        }
      }
    }
  }

  private Events events(String cookie) throws IOException {
    return client.events("/api/events", cookie);
  }

  private static Instant now() {
    return Instant.now();
  }
}
