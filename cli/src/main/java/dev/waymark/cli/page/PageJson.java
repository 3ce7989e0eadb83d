package dev.waymark.cli.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waymark.cli.history.RunCurves;
import dev.waymark.cli.history.RunCurves.Series;
import dev.waymark.cli.text.PrintableText;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * What the documents of all pages have in common. Times are milliseconds since 1970; text is {@link
 * PrintableText}. Every document says the server's time, for the page's clock may be another
 * machine's.
 */
public final class PageJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Longer than what the endpoint lets through, so that only commands and messages are cut. */
  private static final int MAX_TEXT = 600;

  private PageJson() {}

  public static ObjectNode object() {
    return NODES.objectNode();
  }

  /** Of that time. */
  public static ObjectNode document(Instant now) {
    return object().put("now", now.toEpochMilli());
  }

  public static String text(String text) {
    return PrintableText.of(text, MAX_TEXT);
  }

  /** Null for null. */
  public static Long millis(Instant time) {
    return time == null ? null : time.toEpochMilli();
  }

  /** Adds what a program last reported, and the curves of all that it reported. */
  public static void addFigures(ObjectNode document, List<Metric> metrics, RunCurves curves) {
    ArrayNode figures = document.putArray("metrics");
    for (Metric metric : metrics) {
      figures.addObject().put("name", text(metric.name())).put("value", text(metric.value()));
    }
    document.put("axis", curves.axis().name().toLowerCase(Locale.ROOT));
    document.set("x", numbers(curves.x()));
    ArrayNode series = document.putArray("series");
    for (Series one : curves.series()) {
      series.addObject().put("name", text(one.name())).set("values", numbers(one.values()));
    }
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
}
