package dev.waymark.controller.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.trainer.api.FieldProblem;
import dev.waymark.trainer.api.TrainerJson;
import dev.waymark.trainer.api.TrainerResource;
import java.util.List;
import java.util.Map;

/** From the JSON of a request to the types of the Trainer API. */
final class TypedObjects {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Reads an object.
   *
   * @throws UnreadableObjectException with all of its fields that have wrong types
   */
  static <T extends TrainerResource<?, ?>> T read(JsonNode json, Class<T> type)
      throws UnreadableObjectException {
    T object;
    try {
      object = TrainerJson.fromMap(fields(json), type);
    } catch (IllegalArgumentException e) {
      throw new UnreadableObjectException(
          "does not fit " + type.getSimpleName() + ": " + e.getMessage());
    }
    List<FieldProblem> problems = object.problems();
    if (!problems.isEmpty()) {
      throw new UnreadableObjectException(Texts.joined(problems));
    }
    return object;
  }

  @SuppressWarnings("unchecked") // JSON objects have text as keys
  private static Map<String, Object> fields(JsonNode json) {
    return JSON.convertValue(json, Map.class);
  }

  private TypedObjects() {}
}
