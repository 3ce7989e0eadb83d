package dev.waymark.cli.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waymark.cli.history.Entry.Ended;
import dev.waymark.cli.history.Entry.Reported;
import dev.waymark.cli.history.Entry.Started;
import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Entries as JSON, one line each. */
final class EntryJson {

  private static final ObjectMapper JSON = new ObjectMapper();

  private EntryJson() {}

  /** The line, without its end. */
  static String encode(Entry entry) {
    ObjectNode line = JSON.createObjectNode();
    if (entry instanceof Started started) {
      line.put("trainJob", started.trainJob());
      ArrayNode command = line.putArray("command");
      started.command().forEach(command::add);
      line.put("startedAt", started.startedAt().toString());
      ObjectNode recorder = line.putObject("recorder");
      recorder.put("pid", started.recorder().pid());
      putInstant(recorder, "startedAt", started.recorder().startedAt());
    } else if (entry instanceof Reported reported) {
      line.put("receivedAt", reported.receivedAt().toString());
      line.set("trainerStatus", encode(reported.status()));
    } else if (entry instanceof Ended ended) {
      line.put("endedAt", ended.endedAt().toString());
      line.put("exitCode", ended.exitCode());
    }
    return line.toString();
  }

  private static ObjectNode encode(TrainerStatus status) {
    ObjectNode node = JSON.createObjectNode();
    putInteger(node, "progressPercentage", status.progressPercentage());
    putInteger(node, "estimatedRemainingSeconds", status.estimatedRemainingSeconds());
    if (status.metrics() != null) {
      ArrayNode metrics = node.putArray("metrics");
      for (Metric metric : status.metrics()) {
        metrics.addObject().put("name", metric.name()).put("value", metric.value());
      }
    }
    putInstant(node, "lastUpdatedTime", status.lastUpdatedTime());
    return node;
  }

  private static void putInteger(ObjectNode node, String field, Integer value) {
    if (value != null) {
      node.put(field, value);
    }
  }

  private static void putInstant(ObjectNode node, String field, Instant value) {
    if (value != null) {
      node.put(field, value.toString());
    }
  }

  /**
   * The entry in a line.
   *
   * @throws DamagedLineException if it holds none
   */
  static Entry decode(String line) throws DamagedLineException {
    try {
      JsonNode node = JSON.readTree(line);
      if (node.hasNonNull("trainJob")) {
        return started(node);
      } else if (node.hasNonNull("receivedAt")) {
        return new Reported(instant(node, "receivedAt"), status(node.path("trainerStatus")));
      } else if (node.hasNonNull("endedAt")) {
        return new Ended(instant(node, "endedAt"), node.path("exitCode").asInt());
      }
    } catch (JsonProcessingException | DateTimeException e) {
      throw new DamagedLineException(e);
    }
    throw new DamagedLineException(null);
  }

  private static Started started(JsonNode node) {
    List<String> command = new ArrayList<>();
    node.path("command").forEach(word -> command.add(word.asText()));
    JsonNode recorder = node.path("recorder");
    return new Started(
        node.path("trainJob").asText(),
        command,
        instant(node, "startedAt"),
        new Recorder(recorder.path("pid").asLong(-1), optionalInstant(recorder, "startedAt")));
  }

  private static TrainerStatus status(JsonNode node) {
    List<Metric> metrics = new ArrayList<>();
    for (JsonNode metric : node.path("metrics")) {
      metrics.add(new Metric(metric.path("name").asText(), metric.path("value").asText()));
    }
    return new TrainerStatus(
        integer(node, "progressPercentage"),
        integer(node, "estimatedRemainingSeconds"),
        metrics,
        optionalInstant(node, "lastUpdatedTime"));
  }

  private static Integer integer(JsonNode node, String field) {
    return node.path(field).isInt() ? node.path(field).asInt() : null;
  }

  private static Instant optionalInstant(JsonNode node, String field) {
    return node.hasNonNull(field) ? instant(node, field) : null;
  }

  private static Instant instant(JsonNode node, String field) {
    return Instant.parse(node.path(field).asText());
  }

  /** A line that is no entry: cut short, or not written by this program. */
  static final class DamagedLineException extends Exception {
    private static final long serialVersionUID = 1L;

    DamagedLineException(Throwable cause) {
      super(cause);
    }
  }
}
