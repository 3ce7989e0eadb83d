package dev.waymark.trainer.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;

/**
 * Names the runtime of a TrainJob.
 *
 * @param name 1 to 253 characters
 * @param apiGroup null counts as {@link TrainerApi#GROUP}
 * @param kind null counts as ClusterTrainingRuntime
 * @param additionalProperties fields beside the known ones, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RuntimeRef(
    String name,
    String apiGroup,
    String kind,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

  public RuntimeRef {
    additionalProperties = Copies.ofUnknown(additionalProperties);
  }

  /** The group that counts, with the default of the CRD. */
  public String effectiveApiGroup() {
    return apiGroup == null ? TrainerApi.GROUP : apiGroup;
  }

  /** The kind that counts, with the default of the CRD. */
  public String effectiveKind() {
    return kind == null ? "ClusterTrainingRuntime" : kind;
  }
}
