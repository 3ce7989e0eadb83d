package dev.waymark.reporter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** An endpoint that accepts everything, and remembers it. */
final class RecordingEndpoint implements StatusEndpoint {
  private final List<JsonNode> statuses = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  @Override
  public String name() {
    return "https://recording";
  }

  @Override
  public HttpAnswer post(byte[] document, Deadline deadline) throws IOException {
    statuses.add(new ObjectMapper().readTree(document).get("trainerStatus"));
    return new HttpAnswer(200, "", true);
  }

  @Override
  public void disconnect() {}

  @Override
  public void close() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  /** What was posted so far, oldest first. */
  List<JsonNode> statuses() {
    return statuses;
  }

  /** Run and state of each report that was posted so far, oldest first. */
  List<String> runsAndStates() {
    return statuses.stream()
        .map(status -> metrics(status).get("run") + " " + metrics(status).get("state"))
        .toList();
  }

  static Map<String, String> metrics(JsonNode status) {
    Map<String, String> metrics = new LinkedHashMap<>();
    status
        .get("metrics")
        .forEach(m -> metrics.put(m.get("name").textValue(), m.get("value").textValue()));
    return metrics;
  }
}
