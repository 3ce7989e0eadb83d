package dev.waymark.cli.cluster.tests;

import static dev.waymark.cli.cluster.tests.TrainJobsOnFakeApiServer.TRAIN_JOBS;
import static dev.waymark.cli.cluster.tests.TrainJobsOnFakeApiServer.condition;
import static dev.waymark.cli.cluster.tests.TrainJobsOnFakeApiServer.log;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.cli.cluster.dashboard.Dashboard;
import dev.waymark.cli.page.PageInBrowser;
import dev.waymark.client.ClusterAccess;
import dev.waymark.client.ListOptions;
import dev.waymark.client.TrainerClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The dashboard in a real browser, on an API server in memory. */
@Timeout(180)
class DashboardBrowserIT extends PageInBrowser {

  private static final Duration PATIENCE = Duration.ofSeconds(45);

  @TempDir Path folder;
  private TrainJobsOnFakeApiServer cluster;
  private TrainerClient client;
  private Dashboard dashboard;

  @BeforeEach
  void start() throws Exception {
    cluster = new TrainJobsOnFakeApiServer(folder);
    cluster.runtime("rt");
    running("iris", 10);
    cluster.trainJob(
        "mnist", "status: {conditions: [" + condition("Failed", "no disk <b>left</b>") + "]}");
    cluster.put(
        TRAIN_JOBS + "/queued",
        "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, metadata: {name: queued,"
            + " namespace: team-a}, spec: {suspend: true, runtimeRef: {name: other}}}");
    cluster.put(
        "/apis/trainer.kubeflow.org/v1alpha1/namespaces/team-b/trainjobs/iris",
        "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, metadata: {name: iris,"
            + " namespace: team-b}, spec: {runtimeRef: {name: rt}}}");
    client =
        TrainerClient.connect(
            ClusterAccess.standard()
                .withKubeconfig(cluster.kubeconfig())
                .withCallTimeout(Duration.ofSeconds(10)));
    dashboard = Dashboard.open(client, ListOptions.standard().ofAllNamespaces(), 0);
    setWindow(1280, 900, false);
  }

  @AfterEach
  void stop() {
    leave();
    dashboard.close();
    client.close();
    cluster.close();
  }

  @Test
  void listsAllTrainJobs() {
    open();

    assertThat(browser.getCurrentUrl()).endsWith(dashboard.url().getPort() + "/");
    awaitRows("iris", "iris", "mnist", "queued");
    assertThat(row("team-a/iris").getText()).contains("Running", "10%", " h", "rt", "2 nodes");
    assertThat(row("team-a/mnist").getText()).contains("Failed", "R: no disk <b>left</b>");
    assertThat(row("team-a/queued").getText()).contains("Suspended", "other");
    assertThat(text("shown")).isEqualTo("4");
    assertThat(text("cluster")).isEqualTo("x");
    assertThat(text("connection")).isEqualTo("Live");
    assertNothingWasBlocked();
  }

  @Test
  void filtersAreInTheAddressAndSurviveAReload() {
    open();
    awaitRows("iris", "iris", "mnist", "queued");

    browser.findElement(By.tagName("body")).sendKeys("/");
    browser.switchTo().activeElement().sendKeys("iris");
    awaitRows("iris", "iris");
    choose("filter-namespace", "team-b");
    awaitRows("iris");
    assertThat(text("shown")).isEqualTo("1 of 4");
    assertThat(browser.getCurrentUrl()).endsWith("#name=iris&namespace=team-b");

    browser.navigate().refresh();
    awaitRows("iris");
    browser.findElement(By.id("filter-name")).sendKeys(Keys.ESCAPE);
    choose("filter-namespace", "");
    awaitRows("iris", "iris", "mnist", "queued");
    choose("filter-state", "Failed");
    awaitRows("mnist");
    choose("filter-state", "");
    choose("filter-runtime", "other");
    awaitRows("queued");
    choose("filter-state", "Complete");
    awaitRows();
    assertThat(text("none")).isEqualTo("No TrainJob is like that.");
    assertNothingWasBlocked();
  }

  @Test
  void theKeyboardOpensAndClosesOne() {
    open();
    awaitRows("iris", "iris", "mnist", "queued");

    for (String id :
        List.of("skip", "filter-name", "filter-namespace", "filter-state", "filter-runtime")) {
      browser.switchTo().activeElement().sendKeys(Keys.TAB);
      assertThat(browser.switchTo().activeElement().getDomAttribute("id")).isEqualTo(id);
      assertThat(
              browser.executeScript("return getComputedStyle(document.activeElement).outlineStyle"))
          .as("focus on %s", id)
          .isEqualTo("solid");
    }
    row("team-a/mnist").findElement(By.tagName("button")).sendKeys(Keys.ENTER);
    awaitText("job", "mnist");
    assertThat(browser.findElement(By.id("list")).isDisplayed()).isFalse();
    assertThat(browser.switchTo().activeElement().getDomAttribute("id")).isEqualTo("job");
    assertThat(text("reason")).isEqualTo("R: no disk <b>left</b>");
    assertThat(browser.findElement(By.id("suspend")).isDisplayed()).isFalse();

    browser.switchTo().activeElement().sendKeys(Keys.ESCAPE);
    await().atMost(PATIENCE).until(() -> browser.findElement(By.id("list")).isDisplayed());
    assertThat(browser.switchTo().activeElement().getText()).contains("mnist");
    browser.navigate().back();
    awaitText("job", "mnist");

    browser.findElement(By.tagName("body")).sendKeys("/");
    browser.switchTo().activeElement().sendKeys("queued", Keys.ENTER);
    awaitText("job", "queued");
    assertNothingWasBlocked();
  }

  @Test
  void oneIsShownLiveWithItsCurvesPodsEventsAndLog() {
    cluster.put(
        "/api/v1/namespaces/team-a/events/e",
        "{apiVersion: v1, kind: Event, metadata: {name: e, namespace: team-a}, type: Warning,"
            + " reason: FailedScheduling, message: 'no <i>room</i>', lastTimestamp:"
            + " '2026-11-30T09:00:00Z', involvedObject: {kind: TrainJob, name: iris, uid:"
            + " uid-of-iris}}");
    cluster.api().serve(log("iris", 1), "2026-11-30T10:00:00Z <script>1</script>\n");
    open();
    openJob("team-a/iris");
    awaitText("percent", "10");
    assertThat(text("state")).isEqualTo("Running");
    assertThat(text("remaining")).matches("\\d h( \\d+ min)? left");

    for (int percent = 11; percent <= 13; percent++) {
      report("iris", percent);
      awaitText("percent", "" + percent);
    }
    assertThat(text("facts")).contains("130 of 1,000", "0.87");
    assertThat(browser.getTitle()).isEqualTo("13% · team-a/iris");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(titlesOfCharts()).contains("Loss", "Accuracy", "Learning rate"));
    assertThat(text("step-rows")).contains("node-0", "iris-node-0-1", "Running", "gpu x 1");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(text("event-rows")).contains("no <i>room</i>"));

    browser.findElement(By.cssSelector("#logs summary")).click();
    choose("log-step", "node-1");
    awaitText("log", "<script>1</script>");
    cluster.api().serve(log("iris", 1), "2026-11-30T10:00:01Z more\n");
    awaitText("log", "<script>1</script>\nmore");

    assertNothingWasBlocked();
    cluster.api().delete(TRAIN_JOBS + "/iris");
    await().atMost(PATIENCE).until(() -> browser.findElement(By.id("gone")).isDisplayed());
    assertThat(text("percent")).isEqualTo("13");
  }

  @Test
  void suspendsAndResumesAndTellsARefusal() {
    open();
    openJob("team-a/iris");
    awaitText("state", "Running");

    browser.findElement(By.id("suspend")).click();
    assertThat(text("confirm-title")).isEqualTo("Suspend iris?");
    browser.switchTo().activeElement().sendKeys(Keys.ESCAPE);
    assertThat(text("job")).as("Escape closes the question only").isEqualTo("iris");
    assertThat(cluster.api().writes()).isEmpty();

    cluster.api().refuse(write -> true, 403, "jane may not <i>patch</i>");
    suspend();
    awaitText("outcome", "No right to suspend TrainJob iris: jane may not <i>patch</i>");
    assertThat(browser.findElement(By.id("outcome")).getDomAttribute("class")).contains("bad");

    suspend();
    awaitText("state", "Suspended");
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                cluster
                        .api()
                        .get(TRAIN_JOBS + "/iris")
                        .orElseThrow()
                        .at("/spec/suspend")
                        .asBoolean()
                    && browser.findElement(By.id("resume")).isEnabled());
    browser.findElement(By.id("resume")).click();
    awaitText("state", "Running");
    awaitText("outcome", "Resumed.");
  }

  @Test
  void aBrokenWatchAndAClusterThatIsAwayAreOvercome() {
    open();
    awaitRows("iris", "iris", "mnist", "queued");
    cluster.api().cutWatches();
    report("iris", 20);
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(row("team-a/iris").getText()).contains("20%"));

    Runnable back = cluster.api().away();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(text("away"))
                    .startsWith("The cluster can't be asked since ")
                    .contains("No answer from http://127.0.0.1:"));
    assertThat(row("team-a/iris").getText()).as("as it was").contains("20%");
    assertThat(text("connection")).isEqualTo("Live");

    back.run();
    await().atMost(PATIENCE).until(() -> !browser.findElement(By.id("away")).isDisplayed());
    report("iris", 30);
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(row("team-a/iris").getText()).contains("30%"));

    dashboard.close();
    awaitText("connection", "waymark dashboard has ended. These are the last figures.");
    assertThat(row("team-a/iris").getText()).contains("30%");
  }

  @ParameterizedTest
  @ValueSource(ints = {320, 360, 768})
  void fitsAPhone(int width) {
    cluster.trainJob("a-training-with-a-name-that-is-as-long-as-names-may-be-on-a-cluster", "");
    setWindow(width, 740, true);
    open();
    awaitRows(
        "a-training-with-a-name-that-is-as-long-as-names-may-be-on-a-cluster",
        "iris",
        "iris",
        "mnist",
        "queued");
    assertThat(overflow()).isNotPositive();

    openJob("team-a/iris");
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(titlesOfCharts()).contains("Loss"));
    browser.findElement(By.cssSelector("#logs summary")).click();
    assertThat(overflow()).isNotPositive();
    assertThat((Long) browser.executeScript("return window.innerWidth")).isEqualTo(width);
    assertThat(text("percent")).isEqualTo("10");
  }

  @Test
  void followsTheColourScheme() {
    open();
    awaitRows("iris", "iris", "mnist", "queued");
    Object light = background();
    setColourScheme("dark");
    try {
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(background()).isNotEqualTo(light));
      openJob("team-a/iris");
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(titlesOfCharts()).contains("Loss"));
    } finally {
      setColourScheme("");
    }
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          f.write(f.read('#job=team-a%2Firis&state=Running'))         | job=team-a%2Firis&state=Running
          f.write(f.read('#state=Failed&x=1'))                        | state=Failed
          f.read('#main').job + f.read('').state + '.'                | .
          f.read('#name=%3Cb%3E').name                                | <b>
          f.shows(f.read(''), job)                                    | true
          f.shows(f.read('#name=IRIS'), job)                          | true
          f.shows(f.read('#name=iris+team'), job)                     | true
          f.shows(f.read('#name=iris+x'), job)                        | false
          f.shows(f.read('#namespace=team'), job)                     | false
          f.shows(f.read('#namespace=team-a&state=Running'), job)     | true
          f.shows(f.read('#state=running'), job)                      | false
          f.shows(f.read('#runtime=rt'), job)                         | true
          f.shows(f.read('#runtime=other'), job)                      | false
          f.choices([job, { ...job, runtime: 'a' }], 'runtime', '').join()     | a,rt
          f.choices([job, { ...job, runtime: '' }], 'runtime', 'gone').join()  | gone,rt
          f.newestFirst([{ id: 'a', startedAt: 1 }, { id: 'b', startedAt: 2 }]).map((j) => j.id).join()  | b,a
          f.newestFirst([{ id: 'b', startedAt: null }, { id: 'a', startedAt: null }])[0].id              | a
          """)
  void filtersShowWhatTheySay(String call, String expected) {
    open();
    Object result =
        browser.executeAsyncScript(
            "const job = { id: 'team-a/iris', namespace: 'team-a', name: 'iris', phase: 'Running',"
                + " runtime: 'rt' };"
                + "import('/filters.js').then(f => arguments[0]("
                + call
                + "), arguments[0])");

    assertThat(String.valueOf(result)).isEqualTo(expected);
  }

  private void open() {
    browser.get(dashboard.url().toString());
  }

  private static void openJob(String id) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              row(id).findElement(By.tagName("button")).click();
              assertThat(text("job")).isEqualTo(id.substring(id.indexOf('/') + 1));
            });
  }

  private static void suspend() {
    browser.findElement(By.id("suspend")).click();
    browser.findElement(By.id("confirm-yes")).click();
  }

  private static void choose(String select, String value) {
    browser.findElement(By.cssSelector("#" + select + " option[value='" + value + "']")).click();
  }

  /** A TrainJob with two pods that run, and its first report. */
  private void running(String name, int percent) {
    cluster.trainJob(name, reported(percent));
    cluster.pod(name, 0, "{phase: Running}");
    cluster.pod(name, 1, "{phase: Running}");
  }

  private void report(String name, int percent) {
    cluster.change(name, reported(percent));
  }

  private static String reported(int percent) {
    return """
    status:
      trainerStatus:
        progressPercentage: %d
        estimatedRemainingSeconds: 7200
        lastUpdatedTime: '%s'
        metrics:
          - {name: current_step, value: '%d'}
          - {name: total_steps, value: '1000'}
          - {name: loss, value: '%s'}
          - {name: learning_rate, value: '0.01'}
          - {name: train_accuracy, value: '0.5'}
          - {name: eval_accuracy, value: '0.4'}
    """
        .formatted(
            percent,
            Instant.now().truncatedTo(ChronoUnit.SECONDS),
            percent * 10,
            (100 - percent) / 100.0);
  }

  private static void awaitText(String id, String expected) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(text(id)).isEqualTo(expected));
  }

  /** The names in the table, whatever their order. */
  private static void awaitRows(String... names) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(browser.findElements(By.cssSelector("#job-rows bdi")))
                    .extracting(WebElement::getText)
                    .containsExactlyInAnyOrder(names));
  }

  private static WebElement row(String id) {
    return browser.findElement(By.cssSelector("#job-rows tr[data-id='" + id + "']"));
  }

  /** By how many pixels the page is wider than its window. */
  private static Long overflow() {
    return (Long)
        browser.executeScript(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth");
  }
}
