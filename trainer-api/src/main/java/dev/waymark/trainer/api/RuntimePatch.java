package dev.waymark.trainer.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Changes by one party (a queue, an operator, an SDK) to the template of a TrainJob's runtime.
 *
 * <p>The change itself stays what it is, JSON: in a strategic merge patch an explicit null deletes,
 * which a typed value could not tell from an absent field.
 *
 * @param manager who patches: a domain-prefixed path such as {@code kueue.x-k8s.io/manager}; unique
 *     within a TrainJob
 * @param time when it was last changed (RFC 3339), for information only; or null
 * @param trainingRuntimeSpec the patch: maps, lists, text, numbers, booleans and nulls, nested as
 *     in a TrainingRuntimeSpec; or null
 * @param additionalProperties fields beside the known ones, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RuntimePatch(
    String manager,
    String time,
    Map<String, Object> trainingRuntimeSpec,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

  public RuntimePatch {
    trainingRuntimeSpec = Copies.of(trainingRuntimeSpec);
    additionalProperties = Copies.ofUnknown(additionalProperties);
  }

  /**
   * The change as values of what it patches, without what has another type.
   *
   * @param path where the patch stands
   * @return null if there is none, or nothing is left of it
   */
  TrainingRuntimeSpec typed(String path, Consumer<FieldProblem> problems) {
    return trainingRuntimeSpec == null
        ? null
        : StrictBinding.bind(
            TrainerJson.toMap(trainingRuntimeSpec),
            TrainingRuntimeSpec.class,
            path + ".trainingRuntimeSpec",
            problems);
  }
}
