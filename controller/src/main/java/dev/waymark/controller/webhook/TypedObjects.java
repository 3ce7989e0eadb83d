package dev.waymark.controller.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.trainer.api.FieldProblem;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerJson;
import dev.waymark.trainer.api.TrainerResource;
import java.util.ArrayList;
import java.util.List;

/** From the JSON of a request to the types of the Trainer API. */
final class TypedObjects {

  /**
   * Reads an object.
   *
   * @throws UnreadableObjectException with all of its fields that have wrong types
   */
  static <T extends TrainerResource<?, ?>> T read(JsonNode json, Class<T> type)
      throws UnreadableObjectException {
    T object;
    try {
      object = TrainerJson.fromTree(json, type);
    } catch (IllegalArgumentException e) {
      throw new UnreadableObjectException(
          "does not fit " + type.getSimpleName() + ": " + e.getMessage());
    }
    List<FieldProblem> problems = new ArrayList<>(object.problems());
    if (object instanceof TrainJob trainJob) {
      problems.addAll(trainJob.patchProblems());
    }
    if (!problems.isEmpty()) {
      throw new UnreadableObjectException(Texts.joined(problems));
    }
    return object;
  }

  private TypedObjects() {}
}
