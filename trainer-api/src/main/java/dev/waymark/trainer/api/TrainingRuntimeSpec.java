package dev.waymark.trainer.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;

/**
 * A blueprint of trainings: a JobSet template, and what a framework needs around it.
 *
 * @param mlPolicy how nodes find each other; null: no framework of its own, one node
 * @param podGroupPolicy gang scheduling, or null
 * @param template of the JobSet that a TrainJob becomes; null makes no pods
 * @param additionalProperties fields beside the known ones, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TrainingRuntimeSpec(
    MLPolicy mlPolicy,
    PodGroupPolicy podGroupPolicy,
    JobSetTemplateSpec template,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

  public TrainingRuntimeSpec {
    additionalProperties = Copies.ofUnknown(additionalProperties);
  }
}
