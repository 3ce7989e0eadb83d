package dev.waymark.trainer.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Map;

/**
 * What became of a TrainJob.
 *
 * @param conditions by type, at most 8: Suspended, Complete, Failed; or null
 * @param jobsStatus one entry a replicated job, in no particular order; or null
 * @param trainerStatus what the training program last said; or null
 * @param additionalProperties fields beside the known ones, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TrainJobStatus(
    List<Condition> conditions,
    List<JobStatus> jobsStatus,
    TrainerStatus trainerStatus,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

  public TrainJobStatus {
    conditions = Copies.of(conditions);
    jobsStatus = Copies.of(jobsStatus);
    additionalProperties = Copies.ofUnknown(additionalProperties);
  }

  /**
   * Pods of one replicated job, counted by the state of their jobs.
   *
   * @param name of the replicated job
   * @param ready at least 0
   * @param succeeded at least 0
   * @param failed at least 0
   * @param active at least 0
   * @param suspended at least 0
   * @param additionalProperties fields beside the known ones
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record JobStatus(
      String name,
      Integer ready,
      Integer succeeded,
      Integer failed,
      Integer active,
      Integer suspended,
      @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

    public JobStatus {
      additionalProperties = Copies.ofUnknown(additionalProperties);
    }
  }
}
