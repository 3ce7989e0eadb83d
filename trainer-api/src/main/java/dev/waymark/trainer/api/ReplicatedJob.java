package dev.waymark.trainer.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.batch.v1.JobTemplateSpec;
import java.util.List;
import java.util.Map;

/**
 * One job of a JobSet, in one or more replicas.
 *
 * @param name unique within the JobSet
 * @param groupName null counts as {@code default}
 * @param replicas jobs made from the template; null counts as 1
 * @param template of the job; null only in a JobSet that an API server would refuse
 * @param dependsOn jobs that come first, or null
 * @param additionalProperties fields beside the known ones, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ReplicatedJob(
    String name,
    String groupName,
    Integer replicas,
    JobTemplateSpec template,
    List<DependsOn> dependsOn,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

  public ReplicatedJob {
    dependsOn = Copies.of(dependsOn);
    additionalProperties = Copies.ofUnknown(additionalProperties);
  }

  /**
   * A job that must come first.
   *
   * @param name of a replicated job listed before
   * @param status what it must have reached: {@code Ready} or {@code Complete}
   * @param additionalProperties fields beside the known ones
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record DependsOn(
      String name,
      String status,
      @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

    public DependsOn {
      additionalProperties = Copies.ofUnknown(additionalProperties);
    }
  }
}
