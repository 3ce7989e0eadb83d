package dev.waymark.controller.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waymark.trainer.api.TrainJob;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Notes when each runtime patch of a TrainJob was last changed. A patch that hasn't changed keeps
 * its time, whatever the writer says, and one that has gets the present. Works on JSON, because all
 * other defaults are the CRD's.
 *
 * <p>It also refuses objects whose fields have wrong types, which is an oddity of upstream: its
 * defaulter is the first one to read them, so clients see 400, not the schema's 422.
 */
final class TrainJobDefaulter implements Webhook {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String TIME = "time";

  private final Clock clock;

  TrainJobDefaulter(Clock clock) {
    this.clock = clock;
  }

  @Override
  public Decision review(AdmissionRequest request) throws UnreadableObjectException {
    TypedObjects.read(request.object(), TrainJob.class);
    JsonNode patches = patches(request.object());
    ArrayNode changes = JSON.arrayNode();
    for (int i = 0; i < patches.size(); i++) {
      JsonNode given = time(patches.get(i));
      JsonNode time = time(patches.get(i), before(patches.get(i), request.oldObject()));
      if (!time.equals(given)) {
        changes
            .addObject()
            .put("op", "add")
            .put("path", "/spec/runtimePatches/" + i + "/" + TIME)
            .set("value", time);
      }
    }
    return changes.isEmpty() ? Decision.ALLOWED : new Decision.Allowed(changes, List.of());
  }

  private JsonNode time(JsonNode patch, Optional<JsonNode> before) {
    JsonNode now = JSON.textNode(clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
    if (before.isEmpty()) {
      return time(patch) == null ? now : time(patch);
    }
    JsonNode old = time(before.get());
    return old != null && withoutTime(patch).equals(withoutTime(before.get())) ? old : now;
  }

  private static Optional<JsonNode> before(JsonNode patch, JsonNode oldObject) {
    for (JsonNode old : patches(oldObject)) {
      if (Objects.equals(old.get("manager"), patch.get("manager"))) {
        return Optional.of(old);
      }
    }
    return Optional.empty();
  }

  private static JsonNode patches(JsonNode trainJob) {
    return trainJob == null ? JSON.missingNode() : trainJob.at("/spec/runtimePatches");
  }

  /** Null when there is none. */
  private static JsonNode time(JsonNode patch) {
    JsonNode time = patch.get(TIME);
    return time == null || time.isNull() ? null : time;
  }

  private static JsonNode withoutTime(JsonNode patch) {
    ObjectNode rest = patch.deepCopy();
    rest.remove(TIME);
    return rest;
  }
}
