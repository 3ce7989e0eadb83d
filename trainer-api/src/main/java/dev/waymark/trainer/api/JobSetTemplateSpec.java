package dev.waymark.trainer.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Map;

/**
 * Template of the JobSet that a TrainJob becomes.
 *
 * @param metadata labels and annotations of the JobSet; or null
 * @param spec null makes no pods
 * @param additionalProperties fields beside the known ones, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobSetTemplateSpec(
    ObjectMeta metadata,
    JobSetSpec spec,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

  public JobSetTemplateSpec {
    additionalProperties = Copies.ofUnknown(additionalProperties);
  }
}
