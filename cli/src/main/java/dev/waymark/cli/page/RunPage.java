package dev.waymark.cli.page;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waymark.cli.history.RunDetail;
import dev.waymark.cli.history.RunHistory;
import dev.waymark.cli.history.RunId;
import dev.waymark.cli.history.RunSummary;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The page of the local runner: the runs of this user, and at {@code /api/runs/{id}/{number}} one
 * with its curves.
 */
public final class RunPage implements PageContent {

  private static final Pattern RUN = Pattern.compile("/api/runs/([\\w-]{1,64})/(\\d{1,9})");
  private static final String FOLDER = "dev/waymark/cli/page/";

  private final Vertx vertx;
  private final RunHistory history;

  /**
   * @param vertx on whose threads files are read
   */
  public RunPage(Vertx vertx, RunHistory history) {
    this.vertx = vertx;
    this.history = history;
  }

  @Override
  public String command() {
    return "waymark run";
  }

  @Override
  public List<PageFile> files() {
    return List.of(
        PageFile.html("/", FOLDER + "index.html"),
        PageFile.script("/page.js", FOLDER + "page.js"),
        PageFile.script("/table.js", FOLDER + "table.js"));
  }

  @Override
  public PageRows rows() {
    return new RunRows(history);
  }

  @Override
  public CompletionStage<PageAnswer> answer(String path) {
    Matcher run = RUN.matcher(path);
    if (!run.matches()) {
      return CompletableFuture.completedFuture(PageAnswer.refused(404, "There is nothing here."));
    }
    RunId id = new RunId(run.group(1), Integer.parseInt(run.group(2)));
    return vertx
        .executeBlocking(
            () ->
                history
                    .run(id)
                    .map(found -> PageAnswer.json(detail(found)))
                    .orElseGet(
                        () -> PageAnswer.refused(404, "This run is not, or no longer, recorded.")),
            /* ordered= */ false)
        .toCompletionStage();
  }

  private static String detail(RunDetail detail) {
    ObjectNode document = PageJson.document(Instant.now());
    document.set("run", row(detail.summary()));
    PageJson.addFigures(document, detail.metrics(), detail.curves());
    return document.toString();
  }

  private static ObjectNode row(RunSummary run) {
    ObjectNode node = PageJson.object();
    node.put("id", run.id().toString());
    node.put("number", run.id().number());
    node.put("trainJob", PageJson.text(run.trainJob()));
    node.put("command", PageJson.text(String.join(" ", run.command())));
    node.put("startedAt", run.startedAt().toEpochMilli());
    node.put("updatedAt", PageJson.millis(run.updatedAt()));
    node.put("endedAt", PageJson.millis(run.endedAt()));
    node.put("exitCode", run.exitCode());
    node.put("state", run.state().word());
    node.put("active", run.state().isActive());
    node.put("percent", run.percent());
    node.put("remainingSeconds", run.remainingSeconds());
    node.put("step", run.step());
    node.put("totalSteps", run.totalSteps());
    node.put("epoch", run.epoch());
    node.put("totalEpochs", run.totalEpochs());
    node.put("loss", run.loss());
    return node;
  }

  /** The newest runs. */
  private record RunRows(RunHistory history) implements PageRows {

    /** More rows than anyone looks through; the files keep them. */
    private static final int MAX_ROWS = 200;

    @Override
    public Look look() {
      Map<String, ObjectNode> rows = new LinkedHashMap<>();
      history.runs().stream()
          .limit(MAX_ROWS)
          .forEach(run -> rows.put(run.id().toString(), row(run)));
      return new Look(rows, PageJson.object());
    }

    @Override
    public Runnable subscribe(Runnable listener) {
      return history.subscribe(listener)::close;
    }

    /** The newest run whole, since nobody will answer a request for it any more. */
    @Override
    public String lastWord() {
      return history.runs().stream()
          .findFirst()
          .flatMap(run -> history.run(run.id()))
          .map(RunPage::detail)
          .orElse("{}");
    }
  }
}
