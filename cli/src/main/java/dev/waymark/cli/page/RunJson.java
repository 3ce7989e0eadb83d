package dev.waymark.cli.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waymark.cli.history.RunCurves;
import dev.waymark.cli.history.RunCurves.Series;
import dev.waymark.cli.history.RunDetail;
import dev.waymark.cli.history.RunSummary;
import dev.waymark.cli.text.PrintableText;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * Runs as the page gets them. Times are milliseconds since 1970; text is {@link PrintableText}.
 * Every document says the server's time, for the page's clock may be another machine's.
 */
final class RunJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Longer than what the endpoint lets through, so that only commands are ever cut. */
  private static final int MAX_TEXT = 600;

  private RunJson() {}

  static String runs(List<RunSummary> runs, Instant now) {
    ObjectNode document = document(now);
    ArrayNode rows = document.putArray("runs");
    runs.forEach(run -> rows.add(summary(run)));
    return document.toString();
  }

  static String run(RunSummary run, Instant now) {
    ObjectNode document = document(now);
    document.set("run", summary(run));
    return document.toString();
  }

  static String detail(RunDetail detail, Instant now) {
    ObjectNode document = document(now);
    document.set("run", summary(detail.summary()));
    ArrayNode metrics = document.putArray("metrics");
    for (Metric metric : detail.metrics()) {
      metrics.addObject().put("name", text(metric.name())).put("value", text(metric.value()));
    }
    RunCurves curves = detail.curves();
    document.put("axis", curves.axis().name().toLowerCase(Locale.ROOT));
    document.set("x", numbers(curves.x()));
    ArrayNode series = document.putArray("series");
    for (Series one : curves.series()) {
      ObjectNode node = series.addObject().put("name", text(one.name()));
      node.set("values", numbers(one.values()));
    }
    return document.toString();
  }

  private static ObjectNode document(Instant now) {
    return NODES.objectNode().put("now", now.toEpochMilli());
  }

  private static ObjectNode summary(RunSummary run) {
    ObjectNode node = NODES.objectNode();
    node.put("id", run.id().toString());
    node.put("number", run.id().number());
    node.put("trainJob", text(run.trainJob()));
    node.put("command", text(String.join(" ", run.command())));
    node.put("startedAt", run.startedAt().toEpochMilli());
    node.put("updatedAt", millis(run.updatedAt()));
    node.put("endedAt", millis(run.endedAt()));
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

  private static Long millis(Instant time) {
    return time == null ? null : time.toEpochMilli();
  }

  /** JSON has no NaN: a word stands for it. */
  private static ArrayNode numbers(List<Double> values) {
    ArrayNode array = NODES.arrayNode(values.size());
    for (Double value : values) {
      if (value == null) {
        array.addNull();
      } else if (value.isNaN()) {
        array.add("NaN");
      } else {
        array.add(value);
      }
    }
    return array;
  }

  private static String text(String text) {
    return PrintableText.of(text, MAX_TEXT);
  }
}
