package dev.waymark.cli.page;

import static dev.waymark.cli.page.Reports.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.cli.history.RecordedRun;
import dev.waymark.cli.history.RunHistory;
import dev.waymark.cli.page.RequestGate.Secrets;
import dev.waymark.trainer.api.TrainerStatus;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
import org.openqa.selenium.Cookie;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The page in a real browser. */
@Timeout(120)
class PageBrowserIT extends PageInBrowser {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir Path directory;
  private Vertx vertx;
  private RunHistory history;
  private PageServer page;

  @BeforeEach
  void startServer() throws IOException {
    vertx = Vertx.vertx();
    history = RunHistory.open(directory);
    page = PageServer.start(vertx, new RunPage(vertx, history), 0);
    setWindow(1280, 900, false);
  }

  @AfterEach
  void stopServer() {
    leave();
    page.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void theLinkOpensThePageAndLeavesNoSecretBehind() {
    open();

    assertThat(browser.getCurrentUrl()).isEqualTo("http://127.0.0.1:" + port() + "/");
    assertThat(browser.executeScript("return document.referrer")).isEqualTo("");
    assertThat(browser.executeScript("return document.cookie")).isEqualTo("");
    Cookie cookie = browser.manage().getCookieNamed("waymark-" + port());
    assertThat(cookie.isHttpOnly()).isTrue();
    assertThat(cookie.getSameSite()).isEqualTo("Strict");
    assertThat(cookie.getPath()).isEqualTo("/");
    awaitText("empty", "No run has been recorded yet. It will show here when it starts.");
    assertNothingWasBlocked();
  }

  @Test
  void aRunShowsLiveFromItsFirstToItsLastReport() {
    open();
    RecordedRun run = begin("default/iris");
    awaitText("state", "Waiting for the first report");
    assertThat(text("percent")).isEqualTo("–");

    run.report(Instant.now(), training(7, 70));
    awaitText("percent", "7");
    assertThat(text("job")).isEqualTo("iris");
    assertThat(text("command")).isEqualTo("java -jar iris.jar");
    assertThat(text("state")).isEqualTo("Running");
    assertThat(text("remaining")).matches("1 min (1\\d s )?left|7\\d s left");
    assertThat(text("facts")).contains("1 of 10", "70 of 1,000", "0.93");
    assertThat(browser.getTitle()).isEqualTo("7% · iris");
    WebElement bar = browser.findElement(By.id("bar"));
    assertThat(bar.getDomAttribute("aria-valuenow")).isEqualTo("7");

    run.report(Instant.now(), training(42, 420));
    awaitText("percent", "42");
    await().untilAsserted(() -> assertThat(text("facts")).contains("Learning rate\n0.01"));
    assertThat(widthOfBar()).isBetween(0.40, 0.44);

    run.report(Instant.now(), status(42, "state", "evaluating"));
    awaitText("state", "Evaluating");

    run.report(Instant.now(), status(100, "state", "completed", "loss", "0.0123"));
    run.ended(0, Instant.now());
    awaitText("state", "Completed");
    assertThat(text("percent")).isEqualTo("100");
    assertThat(text("remaining")).matches("Done in \\d+ s");
    assertThat(browser.getTitle()).isEqualTo("Completed · 100% · iris");
    assertNothingWasBlocked();
  }

  @Test
  void curvesOfTrainingAndEvaluationShareAChartAndAreDrawn() {
    RecordedRun run = begin("default/iris");
    for (int i = 1; i <= 30; i++) {
      run.report(Instant.now(), training(i, i * 10));
    }
    open();
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(titlesOfCharts()).contains("Loss", "Accuracy"));

    assertThat(titlesOfCharts())
        .containsExactly(
            "Loss",
            "Accuracy",
            "Learning rate",
            "Accelerator utilisation, %",
            "Accelerator memory, GiB");
    assertThat(legendOf(0)).contains("Training", "0.7", "Evaluation", "0.95");
    assertThat(legendOf(3)).contains("GPU 0", "87", "GPU 1", "85");
    for (int chart = 0; chart < 5; chart++) {
      assertThat(coloursIn(chart)).as("chart %d", chart).isGreaterThan(chart < 2 ? 2 : 1);
    }
    assertThat(text("devices")).contains("GPU 0", "87%", "12 of 80 GiB");
    assertNothingWasBlocked();
  }

  @Test
  void aCurveGrowsWithoutBeingMadeAnew() {
    RecordedRun run = begin("default/iris");
    run.report(Instant.now(), training(1, 10));
    run.report(Instant.now(), training(2, 20));
    open();
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(titlesOfCharts()).hasSize(5));
    browser.executeScript("document.querySelector('canvas').kept = true");

    run.report(Instant.now(), status(3, "current_step", "30", "loss", "NaN"));
    run.report(Instant.now(), training(50, 500));
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(legendOf(0)).contains("0.5"));
    assertThat(browser.executeScript("return document.querySelector('canvas').kept"))
        .isEqualTo(true);
  }

  @Test
  void earlierRunsAreInTheTableAndCanBeChosenByMouseAndKeyboard() {
    for (String[] each :
        new String[][] {{"old", "failed"}, {"older", "diverged"}, {"first", "completed"}}) {
      RecordedRun run = begin("default/" + each[0]);
      run.report(Instant.now(), status(33, "state", each[1], "loss", "0.5", "current_step", "5"));
      run.ended(each[1].equals("failed") ? 1 : 0, Instant.now());
    }
    RecordedRun live = begin("default/live");
    live.report(Instant.now(), training(5, 50));
    open();
    awaitText("job", "live");
    assertThat(rows()).hasSize(4);
    assertThat(rows().get(0).getText()).contains("live", "Running", "5%", "1 of 10");

    row("old").click();
    awaitText("job", "old");
    assertThat(text("state")).isEqualTo("Failed");
    assertThat(text("remaining")).matches("After \\d+ s, exit code 1");
    assertThat(browser.getCurrentUrl()).contains("#");

    WebElement name = row("first").findElement(By.tagName("button"));
    browser.executeScript("arguments[0].focus()", name);
    name.sendKeys(Keys.ENTER);
    awaitText("job", "first");
    assertThat(row("first").findElement(By.tagName("button")).getDomAttribute("aria-current"))
        .isEqualTo("true");

    live.report(Instant.now(), training(6, 60));
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(row("live").getText()).contains("6%"));
    assertThat(text("job")).isEqualTo("first");
    browser.findElement(By.id("follow")).click();
    awaitText("job", "live");
    assertNothingWasBlocked();
  }

  @Test
  void hostileNamesAndValuesAreText() {
    String markup = "<img src=x onerror=window.hacked=1><script>window.hacked=1</script>";
    RecordedRun run =
        history.begin(
            "default/" + markup, List.of("\u001b[31m" + markup, "\u202egnp.exe"), Instant.now());
    run.report(
        Instant.now(),
        status(
            10,
            "current_step",
            "1",
            "state",
            markup,
            "loss",
            "0.5",
            markup,
            "1",
            "eval_" + markup,
            "2",
            "gpu_0_" + markup,
            "3",
            "a\u0000b\u0007c\u202ed",
            "e\u001b[2Jf",
            "🚀 דיוק",
            "0.75",
            "__proto__",
            "1",
            "constructor",
            "2",
            "huge",
            "1e308",
            "x".repeat(64),
            "y".repeat(64)));
    open();
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(titlesOfCharts()).hasSizeGreaterThan(5));

    assertThat(text("job")).isEqualTo(markup);
    assertThat(text("command")).isEqualTo("[31m" + markup + " gnp.exe");
    assertThat(titlesOfCharts())
        .contains("Loss", "🚀 דיוק", "Proto", "Constructor")
        .anyMatch(title -> title.contains("<script>"));
    browser.findElement(By.cssSelector("#figures summary")).click();
    assertThat(text("figure-rows")).contains("abcd e[2Jf", markup, "x".repeat(64), "1e308");
    assertThat(browser.getPageSource()).doesNotContain("\u0000", "\u0007", "\u001b", "\u202e");
    assertThat(browser.executeScript("return window.hacked")).isNull();
    assertThat(browser.findElements(By.cssSelector("main script, main img"))).isEmpty();
    assertNothingWasBlocked();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          text.duration(0)                  | 0 s
          text.duration(59.4)               | 59 s
          text.duration(59.6)               | 1 min
          text.duration(200)                | 3 min 20 s
          text.duration(4320)               | 1 h 12 min
          text.duration(97200)              | 1 d 3 h
          text.duration(null)               | –
          text.figure(0)                    | 0
          text.figure(0.0123456)            | 0.01235
          text.figure(1234.5)               | 1,235
          text.figure(0.00000001)           | 1.00e-8
          text.figure(-2.5e12)              | -2.50e12
          text.figure(null)                 | –
          text.figure(NaN)                  | –
          text.outOf(3, 10)                 | 3 of 10
          text.outOf(1200, null)            | 1,200
          text.outOf(null, 10)              | –
          text.heading('learning_rate')     | Learning rate
          text.heading('__proto__')         | Proto
          text.jobName('default/iris')      | iris
          text.jobName('research/iris')     | research/iris
          text.stateWords('stopped_early')  | Stopped early
          """)
  void figuresAreWrittenForPeople(String call, String expected) {
    open();
    assertThat(
            browser.executeAsyncScript(
                "import('/text.js').then(text => arguments[0](" + call + "), arguments[0])"))
        .isEqualTo(expected);
  }

  @Test
  void reachesNothingBeyondItsOwnServer() {
    begin("default/iris").report(Instant.now(), training(1, 10));
    open();
    awaitText("percent", "1");

    assertThat(
            (List<?>)
                browser.executeScript(
                    "return performance.getEntriesByType('resource')"
                        + ".map(e => new URL(e.name).origin)"))
        .isNotEmpty()
        .allMatch(origin -> origin.equals("http://127.0.0.1:" + port()));
  }

  @Test
  void connectsAgainByItselfAfterAnOutageAndShowsIt() throws IOException {
    Secrets secrets = Secrets.random();
    page.close();
    page = PageServer.start(vertx, new RunPage(vertx, history), 0, secrets);
    int port = port();
    RecordedRun run = begin("default/iris");
    run.report(Instant.now(), training(1, 10));
    open();
    awaitText("percent", "1");
    awaitText("connection", "Live");

    page.close();
    awaitText("connection", "waymark run has ended. These are the last figures.");
    assertThat(text("percent")).isEqualTo("1");

    run.report(Instant.now(), training(2, 20));
    page = PageServer.start(vertx, new RunPage(vertx, history), port, secrets);
    awaitText("connection", "Live");
    awaitText("percent", "2");

    page.close();
    page = PageServer.start(vertx, new RunPage(vertx, history), port);
    awaitText(
        "connection", "Another waymark run has this address now: open the link that it printed.");
    assertThat(text("percent")).isEqualTo("2");
  }

  @Test
  void anOutageThatNobodyAnnouncedShowsToo() throws IOException {
    begin("default/iris").report(Instant.now(), training(1, 10));
    Vertx dying = Vertx.vertx();
    browser.get(PageServer.start(dying, new RunPage(dying, history), 0).url().toString());
    awaitText("connection", "Live");

    dying.close().toCompletionStage().toCompletableFuture().join();
    awaitText("connection", "Connection lost, trying again…");
    assertThat(text("percent")).isEqualTo("1");
  }

  @Test
  void theLastFiguresStayWhenTheServerEnds() {
    RecordedRun run = begin("default/iris");
    run.report(Instant.now(), training(1, 10));
    open();
    awaitText("percent", "1");

    run.report(Instant.now(), training(99, 990));
    run.report(
        Instant.now(), status(100, "state", "completed", "current_step", "1000", "loss", "0.0042"));
    run.ended(0, Instant.now());
    page.close();

    awaitText("state", "Completed");
    awaitText("percent", "100");
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(legendOf(0)).contains("0.0042"));
  }

  @Test
  void withoutTheCookieThereIsNothingToSee() {
    browser.get("http://127.0.0.1:" + port() + "/");
    assertThat(browser.findElement(By.tagName("body")).getText()).contains("waymark run");
    assertThat(browser.findElements(By.id("main"))).isEmpty();

    browser.get("http://127.0.0.1:" + port() + "/?secret=wrong");
    assertThat(browser.findElement(By.tagName("body")).getText()).contains("link has expired");
    assertThat(browser.manage().getCookies()).isEmpty();
  }

  @Test
  void aNameThatLeadsHereByDnsRebindingIsRefused() {
    open();
    browser.get("http://" + Chromium.FOREIGN_HOST + ":" + port() + "/");
    assertThat(browser.findElement(By.tagName("body")).getText())
        .isEqualTo("This address is not the page's.");

    browser.get(page.url().toString().replace("127.0.0.1", Chromium.FOREIGN_HOST));
    assertThat(browser.findElement(By.tagName("body")).getText())
        .isEqualTo("This address is not the page's.");
    assertThat(browser.manage().getCookies()).isEmpty();
  }

  /** The other page on 127.0.0.1 is the harder one: the browser sends it the same cookies. */
  @ParameterizedTest
  @ValueSource(strings = {Chromium.FOREIGN_HOST, "127.0.0.1"})
  void anotherSitesPageCannotReadAnything(String host) throws Exception {
    begin("default/iris").report(Instant.now(), training(1, 10));
    open();
    HttpServer evil =
        vertx
            .createHttpServer()
            .requestHandler(
                request ->
                    request.response().putHeader("Content-Type", "text/html").end("<p>evil</p>"))
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get();
    browser.get("http://" + host + ":" + evil.actualPort() + "/");
    String target = "http://127.0.0.1:" + port();

    for (String attack :
        List.of(
            "fetch(target + '/api/events', {credentials: 'include'}).then(r => r.text())",
            "fetch(target + '/', {credentials: 'include', mode: 'no-cors'})"
                + ".then(r => r.type === 'opaque' ? Promise.reject('opaque') : r.text())",
            "new Promise((ok, no) => { const s = new EventSource(target + '/api/events',"
                + " {withCredentials: true}); s.onopen = ok; s.onerror = no; })",
            "import(target + '/page.js')",
            "new Promise((ok, no) => { const s = document.createElement('script');"
                + " s.src = target + '/api/runs/x/1'; s.onload = ok; s.onerror = no;"
                + " document.body.append(s); })",
            "new Promise((ok, no) => { const i = new Image(); i.src = target + '/icon.svg';"
                + " i.onload = ok; i.onerror = no; })",
            "new Promise((ok, no) => { const f = document.createElement('iframe');"
                + " f.src = target + '/'; document.body.append(f);"
                + " f.onload = () => { try { ok(f.contentDocument.title.length || no()); }"
                + " catch (e) { no(e); } }; })")) {
      assertThat(
              browser.executeAsyncScript(
                  "const target = arguments[0], done = arguments[1];"
                      + attack
                      + ".then(() => done('read'), () => done('refused'));",
                  target))
          .as(attack)
          .isEqualTo("refused");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {320, 390, 768})
  void fitsAPhone(int width) {
    for (int i = 0; i < 12; i++) {
      RecordedRun run = begin("research/a-rather-long-name-of-a-job-" + i);
      for (int step = 1; step < 5; step++) {
        run.report(Instant.now(), training(step, step * 10));
      }
    }
    setWindow(width, 800, true);
    open();
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(titlesOfCharts()).hasSize(5));

    assertThat(
            (Long)
                browser.executeScript(
                    "return document.documentElement.scrollWidth - window.innerWidth"))
        .isLessThanOrEqualTo(0);
    assertThat((Long) browser.executeScript("return window.innerWidth")).isEqualTo(width);
  }

  @Test
  void drawsAnewInTheOtherColourScheme() {
    RecordedRun run = begin("default/iris");
    run.report(Instant.now(), training(1, 10));
    run.report(Instant.now(), training(2, 20));
    open();
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(titlesOfCharts()).hasSize(5));
    Object light = background();

    setColourScheme("dark");
    try {
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(background()).isNotEqualTo(light));
      assertThat(titlesOfCharts()).hasSize(5);
      assertThat(coloursIn(0)).isGreaterThan(1);
    } finally {
      setColourScheme("");
    }
  }

  private void open() {
    browser.get(page.url().toString());
  }

  private int port() {
    return page.url().getPort();
  }

  private RecordedRun begin(String trainJob) {
    return history.begin(trainJob, List.of("java", "-jar", "iris.jar"), Instant.now());
  }

  private static TrainerStatus training(int percent, int step) {
    return status(
        percent,
        "state",
        "running",
        "run",
        "1",
        "current_step",
        "" + step,
        "total_steps",
        "1000",
        "current_epoch",
        "1",
        "total_epochs",
        "10",
        "loss",
        "" + (1000 - step) / 1000.0,
        "learning_rate",
        "0.01",
        "eval_loss",
        "0.95",
        "train_accuracy",
        "0.5",
        "eval_accuracy",
        "0.4",
        "gpu_0_utilization",
        "87",
        "gpu_1_utilization",
        "85",
        "gpu_0_memory_used_bytes",
        "" + (12L << 30),
        "gpu_0_memory_total_bytes",
        "" + (80L << 30));
  }

  private static void awaitText(String id, String expected) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(text(id)).isEqualTo(expected));
  }

  private static double widthOfBar() {
    await()
        .until(
            () ->
                (Boolean)
                    browser.executeScript(
                        "return document.getElementById('bar-done').getAnimations().length === 0"));
    return ((Number)
            browser.executeScript(
                "const done = document.getElementById('bar-done');"
                    + "return done.clientWidth / done.parentElement.clientWidth"))
        .doubleValue();
  }

  private static String legendOf(int chart) {
    return browser.findElements(By.cssSelector(".curve .legend")).get(chart).getText();
  }

  /** How many lines' colours a chart's canvas holds: clearly coloured, not grey text or grid. */
  private static long coloursIn(int chart) {
    return (Long)
        browser.executeScript(
            """
            const canvas = document.querySelectorAll('.curve canvas')[arguments[0]];
            const { data } = canvas.getContext('2d')
              .getImageData(0, 0, canvas.width, canvas.height);
            const colours = new Map();
            for (let i = 0; i < data.length; i += 4) {
              if (data[i + 3] < 255) continue;
              const key = data[i] + ',' + data[i + 1] + ',' + data[i + 2];
              colours.set(key, (colours.get(key) ?? 0) + 1);
            }
            return [...colours.values()].filter((n) => n > 20).length;
            """,
            chart);
  }

  private static List<WebElement> rows() {
    return browser.findElements(By.cssSelector("#run-rows tr"));
  }

  private static WebElement row(String name) {
    return rows().stream()
        .filter(row -> row.findElement(By.tagName("bdi")).getText().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
