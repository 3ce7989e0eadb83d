package dev.waymark.trainer.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Map;

/**
 * What became of a JobSet, as its controller (0.12) says it.
 *
 * @param conditions by type: Completed, Failed, Suspended, StartupPolicyCompleted and others; or
 *     null
 * @param replicatedJobsStatus by name, in an order of the JobSet controller's own; or null
 * @param restarts of the whole JobSet; or null
 * @param terminalState {@code Completed}, {@code Failed}, or null while neither
 * @param additionalProperties fields beside the known ones, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobSetStatus(
    List<Condition> conditions,
    List<ReplicatedJobStatus> replicatedJobsStatus,
    Integer restarts,
    String terminalState,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

  public JobSetStatus {
    conditions = Copies.of(conditions);
    replicatedJobsStatus = Copies.of(replicatedJobsStatus);
    additionalProperties = Copies.ofUnknown(additionalProperties);
  }

  /**
   * The jobs of one replicated job, counted by their state.
   *
   * @param name of the replicated job
   * @param ready jobs whose pods are all ready or done; null counts as 0
   * @param succeeded null counts as 0
   * @param failed null counts as 0
   * @param active jobs that have pods; null counts as 0
   * @param suspended null counts as 0
   * @param additionalProperties fields beside the known ones
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ReplicatedJobStatus(
      String name,
      Integer ready,
      Integer succeeded,
      Integer failed,
      Integer active,
      Integer suspended,
      @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

    public ReplicatedJobStatus {
      additionalProperties = Copies.ofUnknown(additionalProperties);
    }
  }
}
