package dev.waymark.trainer.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * What a TrainJob asks for.
 *
 * @param runtimeRef the runtime to use; null only in a TrainJob that an API server would refuse
 * @param initializer what to fetch before the training, or null
 * @param trainer what to change in the training's own container, or null
 * @param runtimePatches changes to the runtime's template, applied in list order, at most 16; or
 *     null
 * @param suspend true: no pods; null counts as false
 * @param activeDeadlineSeconds at least 1, or null for none
 * @param managedBy who reconciles the TrainJob; null counts as {@link
 *     TrainerApi#MANAGED_BY_CONTROLLER}
 * @param additionalProperties fields beside the known ones, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TrainJobSpec(
    RuntimeRef runtimeRef,
    Initializer initializer,
    Trainer trainer,
    List<RuntimePatch> runtimePatches,
    Boolean suspend,
    Long activeDeadlineSeconds,
    String managedBy,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

  public TrainJobSpec {
    runtimePatches = Copies.of(runtimePatches);
    additionalProperties = Copies.ofUnknown(additionalProperties);
  }
}
