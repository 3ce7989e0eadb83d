package dev.waymark.cli.cluster.tests;

import static dev.waymark.cli.cluster.tests.TrainJobsOnFakeApiServer.TRAIN_JOBS;
import static dev.waymark.cli.cluster.tests.TrainJobsOnFakeApiServer.condition;
import static dev.waymark.cli.cluster.tests.TrainJobsOnFakeApiServer.log;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.cli.cluster.dashboard.Dashboard;
import dev.waymark.cli.page.PageClient;
import dev.waymark.cli.page.PageClient.Events;
import dev.waymark.cli.page.PageClient.Response;
import dev.waymark.client.ClusterAccess;
import dev.waymark.client.ListOptions;
import dev.waymark.client.TrainerClient;
import dev.waymark.client.TrainerException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The dashboard as a client sees it that sends whatever it likes, on an API server in memory. */
@Timeout(120)
class DashboardTest {

  private static final String IRIS = "/api/jobs/team-a/iris";

  @TempDir Path folder;

  private TrainJobsOnFakeApiServer cluster;
  private TrainerClient client;
  private Dashboard dashboard;
  private PageClient page;

  @BeforeEach
  void start() throws Exception {
    cluster = new TrainJobsOnFakeApiServer(folder);
    cluster.runtime("rt");
    cluster.trainJob("iris", reported(1));
    cluster.pod("iris", 0, "{phase: Running}");
    cluster.pod("iris", 1, "{phase: Running}");
    client =
        TrainerClient.connect(
            ClusterAccess.standard()
                .withKubeconfig(cluster.kubeconfig())
                .withCallTimeout(Duration.ofSeconds(10)));
    dashboard = Dashboard.open(client, ListOptions.standard(), 0);
    page = new PageClient(dashboard.url());
  }

  @AfterEach
  void stop() {
    dashboard.close();
    client.close();
    cluster.close();
  }

  @Test
  void theLinkOpensThePageWithAllItsFiles() throws IOException {
    String cookie = page.cookie();
    Response index = page.get("/", cookie);
    assertThat(index.status()).isEqualTo(200);
    assertThat(index.header("content-security-policy"))
        .contains("default-src 'none'", "script-src 'self'")
        .doesNotContain("unsafe");
    assertThat(index.body())
        .doesNotContain(page.secret(), "<style", "style=", "onclick")
        .containsOnlyOnce("<script");

    for (String module : List.of("actions", "dashboard", "filters", "jobs", "logs", "opened")) {
      Response script = page.get("/" + module + ".js", cookie);
      assertThat(script.header("content-type")).startsWith("text/javascript");
      assertThat(script.body()).doesNotContain("innerHTML", "insertAdjacent", "outerHTML");
      for (String word : script.body().split("'")) {
        if (word.startsWith("./")) {
          assertThat(page.get(word.substring(1), cookie).status()).as(word).isEqualTo(200);
        }
      }
    }
    assertThat(page.get("/dashboard.css", cookie).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/dashboard.js",
        "/api/events",
        IRIS,
        IRIS + "/events",
        IRIS + "/logs?step=node-0",
        "/?secret=wrong"
      })
  void withoutTheSecretThereIsNothing(String path) throws IOException {
    Response response = page.get(path);

    assertThat(response.status()).isEqualTo(403);
    assertThat(response.body()).contains("waymark dashboard").doesNotContain("team-a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"evil.example", "evil.example:{port}", "127.0.0.1", "localhost:1"})
  void anotherHostIsRefusedEvenWithTheCookie(String host) throws IOException {
    String header = "Host: " + host.replace("{port}", "" + page.port()) + "\r\n";
    Response response =
        page.send("GET " + IRIS + " HTTP/1.1\r\n" + header + page.cookie() + PageClient.CLOSE);

    assertThat(response.status()).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://evil.example", "null", "http://127.0.0.1:1"})
  void aForeignOriginIsRefusedEvenWithTheCookie(String origin) throws IOException {
    String header = "Origin: " + origin + "\r\n";

    assertThat(page.get("/api/events", page.cookie(), header).status()).isEqualTo(403);
    assertThat(page.post(IRIS + "/suspend", page.cookie(), header).status()).isEqualTo(403);
    assertThat(cluster.api().writes()).isEmpty();
  }

  @Test
  void suspendingTakesThePagesOwnOriginAndTheCookie() throws IOException {
    assertThat(page.post(IRIS + "/suspend", page.cookie()).status()).isEqualTo(403);
    assertThat(page.post(IRIS + "/suspend", page.origin()).status()).isEqualTo(403);
    assertThat(page.get(IRIS + "/suspend", page.cookie()).status()).isEqualTo(405);
    assertThat(page.post(IRIS, page.cookie(), page.origin()).status()).isEqualTo(405);
    assertThat(cluster.api().writes()).isEmpty();

    assertThat(page.post(IRIS + "/suspend", page.cookie(), page.origin()).status()).isEqualTo(200);
    assertThat(isSuspended()).isTrue();
    assertThat(page.post(IRIS + "/resume", page.cookie(), page.origin()).status()).isEqualTo(200);
    assertThat(isSuspended()).isFalse();
  }

  @Test
  void whatTheClusterRefusesIsToldInItsWords() throws IOException {
    cluster.api().refuse(write -> true, 403, "trainjobs is forbidden: jane may not patch");
    Response denied = page.post(IRIS + "/suspend", page.cookie(), page.origin());
    assertThat(denied.status()).isEqualTo(403);
    assertThat(denied.body())
        .isEqualTo(
            "No right to suspend TrainJob iris: trainjobs is forbidden: jane may not patch\n");

    cluster.change("iris", "status: {conditions: [" + condition("Complete", "done") + "]}");
    Response late = page.post(IRIS + "/suspend", page.cookie(), page.origin());
    assertThat(late.status()).isEqualTo(409);
    assertThat(late.body()).contains("nothing of it runs any more");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET  | /api/jobs/team-a/nothing                 | 404
          GET  | /api/jobs/team-b/iris                    | 404
          GET  | /api/jobs/team-b/iris/events             | 404
          GET  | /api/jobs/team-b/iris/logs               | 404
          GET  | /api/jobs/team-a/iris/secrets            | 404
          GET  | /api/jobs/team-a/iris/logs?step=../x     | 404
          GET  | /api/jobs/team-a/..%2firis               | 404
          GET  | /api/jobs/team-a                         | 404
          POST | /api/jobs/team-b/iris/suspend            | 404
          POST | /api/jobs/team-a/iris/delete             | 405
          """)
  void whatIsNotOnTheBoardIsNotThere(String method, String path, int status) throws IOException {
    cluster.put(
        "/apis/trainer.kubeflow.org/v1alpha1/namespaces/team-b/trainjobs/iris",
        "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, metadata: {name: iris,"
            + " namespace: team-b}, spec: {runtimeRef: {name: rt}}}");
    Response response =
        method.equals("POST")
            ? page.post(path, page.cookie(), page.origin())
            : page.get(path, page.cookie());

    assertThat(response.status()).isEqualTo(status);
    assertThat(cluster.api().writes()).isEmpty();
  }

  @Test
  void tellsAllTrainJobsThenWhatChanges() throws IOException {
    try (Events events = page.events("/api/events", page.cookie())) {
      JsonNode first = events.next("rows");
      assertThat(first.at("/head/cluster").asText()).isEqualTo("x / team-a");
      assertThat(first.at("/head/away").isNull()).isTrue();
      assertThat(first.at("/rows")).hasSize(1);
      JsonNode iris = first.at("/rows/0");
      assertThat(iris.path("id").asText()).isEqualTo("team-a/iris");
      assertThat(iris.path("phase").asText()).isEqualTo("Running");
      assertThat(iris.path("percent").asInt()).isEqualTo(1);
      assertThat(iris.path("remainingSeconds").asInt()).isEqualTo(65);
      assertThat(iris.path("runtime").asText()).isEqualTo("rt");
      assertThat(iris.path("device").asText()).isEqualTo("gpu x 1");

      cluster.change("iris", reported(2));
      assertThat(events.next("row").at("/row/percent").asInt()).isEqualTo(2);
      cluster.trainJob("mnist", "");
      assertThat(events.next("row").at("/row/id").asText()).isEqualTo("team-a/mnist");
      cluster.api().delete(TRAIN_JOBS + "/mnist");
      assertThat(events.next("gone").at("/ids/0").asText()).isEqualTo("team-a/mnist");
      cluster.put(
          TRAIN_JOBS + "/odd",
          "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, metadata: {name: odd,"
              + " namespace: team-a}, spec: {runtimeRef: {name: rt}, trainer: {numNodes: many}}}");
      assertThat(events.next("head").at("/head/skipped/0").asText())
          .startsWith("TrainJob odd: can't be read: ");

      dashboard.close();
      events.next("bye");
    }
  }

  @Test
  void recordsCurvesWhileItWatches() throws IOException {
    try (Events events = page.events("/api/events", page.cookie())) {
      events.next("rows");
      for (int percent = 2; percent <= 4; percent++) {
        cluster.change("iris", reported(percent));
        assertThat(events.next("row").at("/row/percent").asInt()).isEqualTo(percent);
      }
    }
    JsonNode detail = page.get(IRIS, page.cookie()).json();

    assertThat(detail.at("/x").toString()).isEqualTo("[10.0,20.0,30.0,40.0]");
    assertThat(detail.at("/series/0/name").asText()).isEqualTo("loss");
    assertThat(detail.at("/series/0/values").toString()).isEqualTo("[0.99,0.98,0.97,0.96]");
    assertThat(detail.at("/steps/0/name").asText()).isEqualTo("node-0");
    assertThat(detail.at("/steps/1/pod").asText()).isEqualTo("iris-node-0-1");
  }

  /** No raw objects: a browser gets neither environments nor annotations. */
  @Test
  void saysNothingThatThePageDoesNotShow() throws IOException {
    cluster.change(
        "iris",
        """
        metadata: {annotations: {note: hidden-1}, labels: {team: hidden-2}}
        spec: {trainer: {env: [{name: TOKEN, value: hidden-3}], command: [hidden-4]}}
        """);
    try (Events events = page.events("/api/events", page.cookie())) {
      assertThat(events.next("rows").toString()).contains("iris").doesNotContain("hidden");
      cluster.change("iris", reported(2));
      assertThat(events.next("row").toString()).contains("iris").doesNotContain("hidden");
    }
    assertThat(page.get(IRIS, page.cookie()).body()).contains("iris").doesNotContain("hidden");
  }

  @Test
  void controlCharactersGoNowhere() throws IOException {
    cluster.pod(
        "iris",
        0,
        "{phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Odd, message:"
            + " \"a\\u001b[31mb\\u202ec\"}]}");
    try (Events events = page.events("/api/events", page.cookie())) {
      JsonNode row = events.next("rows").at("/rows/0");
      while (!row.path("phase").asText().equals("Pending")) {
        row = events.next("row").path("row");
      }
      assertThat(row.path("reason").asText()).isEqualTo("node-0: Odd: a[31mbc");
    }
    assertThat(page.get(IRIS, page.cookie()).body()).doesNotContain("\\u001b", "\u202e");
  }

  @Test
  void tellsEvents() throws IOException {
    for (int i = 1; i <= 2; i++) {
      cluster.put(
          "/api/v1/namespaces/team-a/events/e" + i,
          """
          apiVersion: v1
          kind: Event
          metadata: {name: e%d, namespace: team-a}
          type: Warning
          reason: Reason%d
          message: "look\\u0007 here"
          lastTimestamp: '2026-11-30T09:00:0%dZ'
          involvedObject: {kind: TrainJob, name: iris, uid: uid-of-iris}
          """
              .formatted(i, i, i));
    }
    JsonNode events = page.get(IRIS + "/events", page.cookie()).json().path("events");

    assertThat(events).hasSize(2);
    assertThat(events.at("/0/reason").asText()).as("the newest first").isEqualTo("Reason2");
    assertThat(events.at("/0/about").asText()).isEqualTo("TrainJob/iris");
    assertThat(events.at("/0/message").asText()).isEqualTo("look here");
    assertThat(events.at("/0/warning").asBoolean()).isTrue();

    cluster.api().deny("/api/v1/namespaces/team-a/events");
    Response denied = page.get(IRIS + "/events", page.cookie());
    assertThat(denied.status()).isEqualTo(403);
    assertThat(denied.body()).startsWith("No right to list the events of namespace team-a");
  }

  @Test
  void followsALog() throws IOException {
    cluster.api().serve(log("iris", 1), "2026-11-30T10:00:00Z o\u001bne\n");
    try (Events events = page.events(IRIS + "/logs?step=node-1", page.cookie())) {
      assertThat(events.next("lines").at("/lines").toString()).isEqualTo("[\"one\"]");
      cluster
          .api()
          .serve(log("iris", 1), "2026-11-30T10:00:00Z o\u001bne\n2026-11-30T10:00:01Z two\n");
      assertThat(events.next("lines").at("/lines").toString()).isEqualTo("[\"two\"]");
      cluster.pod("iris", 1, "{phase: Succeeded}");
      assertThat(events.next("end").path("message").asText()).isEqualTo("The log has ended.");
    }
  }

  @Test
  void tellsWhyThereIsNoLog() throws IOException {
    cluster.change("iris", "status: {conditions: [" + condition("Complete", "done") + "]}");
    try (Events events = page.events(IRIS + "/logs?step=node-7", page.cookie())) {
      assertThat(events.next("end").path("message").asText())
          .contains("step node-7 is not there; there is node-0, node-1");
    }
  }

  @Test
  void aWatchThatBreaksCostsNoChange() throws IOException {
    try (Events events = page.events("/api/events", page.cookie())) {
      events.next("rows");
      cluster.api().cutWatches();
      cluster.change("iris", reported(50));
      assertThat(events.next("row").at("/row/percent").asInt()).isEqualTo(50);
      cluster.api().cutWatches();
      cluster.change("iris", reported(51));
      assertThat(events.next("row").at("/row/percent").asInt()).isEqualTo(51);
    }
  }

  @Test
  void aClusterThatIsAwayIsToldAndWaitedFor() throws IOException {
    try (Events events = page.events("/api/events", page.cookie())) {
      events.next("rows");
      Runnable back = cluster.api().away();
      JsonNode away = events.next("head").at("/head/away");
      assertThat(away.path("message").asText()).startsWith("No answer from http://127.0.0.1:");
      assertThat(away.path("since").asLong()).isPositive();
      assertThat(page.get(IRIS, page.cookie()).status()).as("what is known").isEqualTo(200);

      back.run();
      JsonNode head;
      do {
        head = events.next("head").path("head");
      } while (!head.path("away").isNull());
      cluster.change("iris", reported(60));
      assertThat(events.next("row").at("/row/percent").asInt()).isEqualTo(60);
    }
  }

  /** As when credentials expire, or somebody takes a right away and gives it back. */
  @Test
  void rightsThatAreMissingForAWhileAreTold() throws IOException {
    try (Events events = page.events("/api/events", page.cookie())) {
      events.next("rows");
      Runnable back = cluster.api().lack(TRAIN_JOBS);
      cluster.api().cutWatches();
      assertThat(events.next("head").at("/head/away/message").asText())
          .contains("has no trainer.kubeflow.org/v1alpha1");

      back.run();
      JsonNode head;
      do {
        head = events.next("head").path("head");
      } while (!head.path("away").isNull());
    }
  }

  @Test
  void aClusterThatCannotBeAskedAtFirstIsNoDashboard() {
    cluster.api().deny(TRAIN_JOBS);

    assertThatThrownBy(() -> Dashboard.open(client, ListOptions.standard(), 0))
        .isInstanceOf(TrainerException.Denied.class)
        .hasMessageStartingWith("No right to list the TrainJobs of namespace team-a");
  }

  private boolean isSuspended() {
    return cluster.api().get(TRAIN_JOBS + "/iris").orElseThrow().at("/spec/suspend").asBoolean();
  }

  /** Changes or fields of a TrainJob whose program has reported so much. */
  private static String reported(int percent) {
    return "status: {trainerStatus: {progressPercentage: "
        + percent
        + ", estimatedRemainingSeconds: 65, lastUpdatedTime: '2026-11-30T10:00:00Z', metrics:"
        + " [{name: current_step, value: '"
        + percent * 10
        + "'}, {name: loss, value: '"
        + (100 - percent) / 100.0
        + "'}]}}";
  }
}
