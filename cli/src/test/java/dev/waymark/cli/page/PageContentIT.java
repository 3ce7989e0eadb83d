package dev.waymark.cli.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waymark.cli.page.PageClient.Events;
import dev.waymark.cli.page.PageClient.Response;
import dev.waymark.cli.page.PageStream.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a page can have done and followed, with a content of the test's. */
@Timeout(60)
class PageContentIT {

  private final Content content = new Content();
  private PageServer page;
  private PageClient client;

  @BeforeEach
  void start() throws IOException {
    page = PageServer.start(content, 0);
    client = new PageClient(page.url());
  }

  @AfterEach
  void stop() {
    page.close();
  }

  @Test
  void thePageItselfHasSomethingDone() throws IOException {
    Response done = client.post("/api/act", client.cookie(), client.origin());

    assertThat(done.status()).isEqualTo(200);
    assertThat(done.body()).isEqualTo("{\"done\":true}");
    assertThat(content.acted).containsExactly("/api/act");
  }

  @Test
  void nobodyElseHasAnythingDone() throws IOException {
    String cookie = client.cookie();
    List<List<String>> others =
        List.of(
            List.of(cookie),
            List.of(client.origin()),
            List.of(cookie, "Origin: null\r\n"),
            List.of(cookie, "Origin: http://evil.example\r\n"),
            List.of(cookie, "Origin: http://127.0.0.1:1\r\n"),
            List.of(cookie, client.origin(), "Sec-Fetch-Site: cross-site\r\n"));

    for (List<String> headers : others) {
      assertThat(client.post("/api/act", headers.toArray(String[]::new)).status())
          .as(headers.toString())
          .isEqualTo(403);
    }
    Response got = client.get("/api/act", cookie);
    assertThat(got.status()).isEqualTo(405);
    assertThat(got.header("allow")).isEqualTo("POST");
    assertThat(client.post("/api/other", cookie, client.origin()).header("allow")).isEqualTo("GET");
    assertThat(content.acted).isEmpty();
  }

  /** Thousands of messages would keep a page busy for longer than they are true. */
  @Test
  void manyRowsThatChangeAtATimeAreToldAtOnce() throws IOException {
    content.show(5_000, "a");
    try (Events events = client.events("/api/events", client.cookie())) {
      assertThat(events.next("rows").path("rows")).hasSize(5_000);
      content.show(5_000, "b");
      PageClient.Event all = events.next();
      assertThat(all.name()).isEqualTo("rows");
      assertThat(all.data().path("rows")).hasSize(5_000);
      assertThat(all.data().at("/rows/4999/is").asText()).isEqualTo("b");

      content.change("7", "c");
      PageClient.Event one = events.next();
      assertThat(one.name()).isEqualTo("row");
      assertThat(one.data().at("/row/is").asText()).isEqualTo("c");
    }
  }

  @Test
  void aStreamIsReadToItsEnd() throws IOException {
    try (Events events = client.events("/api/stream?of=a", client.cookie())) {
      events.next("heartbeat");
      content.streams.get(0).waiting.add(new Event("line", "1", false));
      assertThat(events.next("line").asInt()).isEqualTo(1);
      content.streams.get(0).waiting.add(new Event("line", "2", false));
      content.streams.get(0).waiting.add(new Event("end", "3", true));
      assertThat(events.next("line").asInt()).isEqualTo(2);
      assertThat(events.next("end").asInt()).isEqualTo(3);
    }
    assertThat(content.streams.get(0).of).isEqualTo("a");
    assertThat(content.streams.get(0).isClosed).isTrue();
  }

  @Test
  void aStreamEndsWithWhoReadsIt() throws IOException {
    try (Events events = client.events("/api/stream", client.cookie())) {
      events.next("heartbeat");
    }
    await().until(() -> content.streams.get(0).isClosed);

    try (Events events = client.events("/api/stream", client.cookie())) {
      events.next("heartbeat");
      page.close();
      assertThat(content.streams.get(1).isClosed).isTrue();
    }
  }

  @Test
  void tooManyStreamsAreRefused() throws IOException {
    String cookie = client.cookie();
    List<Events> open = new ArrayList<>();
    try {
      for (int i = 0; i < 8; i++) {
        open.add(client.events("/api/stream", cookie));
        open.get(i).next("heartbeat");
      }
      assertThat(client.get("/api/stream", cookie).status()).isEqualTo(503);
    } finally {
      for (Events events : open) {
        events.close();
      }
    }
  }

  private static final class Content implements PageContent {
    final List<String> acted = new CopyOnWriteArrayList<>();
    final List<Stream> streams = new CopyOnWriteArrayList<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Map<String, ObjectNode> rows = Map.of();

    /** So many rows, all of which say the same. */
    void show(int count, String is) {
      Map<String, ObjectNode> shown = new LinkedHashMap<>();
      for (int i = 0; i < count; i++) {
        shown.put("" + i, row(is));
      }
      rows = shown;
      listeners.forEach(Runnable::run);
    }

    void change(String id, String is) {
      Map<String, ObjectNode> changed = new LinkedHashMap<>(rows);
      changed.put(id, row(is));
      rows = changed;
      listeners.forEach(Runnable::run);
    }

    private static ObjectNode row(String is) {
      return PageJson.object().put("is", is);
    }

    @Override
    public String command() {
      return "waymark test";
    }

    @Override
    public List<PageFile> files() {
      return List.of();
    }

    @Override
    public PageRows rows() {
      return new PageRows() {
        @Override
        public Look look() {
          return new Look(rows, PageJson.object());
        }

        @Override
        public Runnable subscribe(Runnable listener) {
          listeners.add(listener);
          return () -> listeners.remove(listener);
        }
      };
    }

    @Override
    public CompletionStage<PageAnswer> answer(String path) {
      return CompletableFuture.completedFuture(PageAnswer.refused(404, "nothing"));
    }

    @Override
    public boolean isAction(String path) {
      return path.equals("/api/act");
    }

    @Override
    public CompletionStage<PageAnswer> act(String path) {
      acted.add(path);
      return CompletableFuture.completedFuture(PageAnswer.json("{\"done\":true}"));
    }

    @Override
    public Optional<PageStream> stream(String path, UnaryOperator<String> parameter) {
      return path.equals("/api/stream")
          ? Optional.of(new Stream(parameter.apply("of"), streams))
          : Optional.empty();
    }
  }

  /** What the test puts there; told to the test once it is started. */
  private static final class Stream implements PageStream {
    final String of;
    final Queue<Event> waiting = new ConcurrentLinkedQueue<>();
    volatile boolean isClosed;
    private final List<Stream> started;

    Stream(String of, List<Stream> started) {
      this.of = of;
      this.started = started;
    }

    @Override
    public void start() {
      started.add(this);
    }

    @Override
    public List<Event> poll() {
      List<Event> events = new ArrayList<>();
      for (Event event = waiting.poll(); event != null; event = waiting.poll()) {
        events.add(event);
      }
      return events;
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }
}
