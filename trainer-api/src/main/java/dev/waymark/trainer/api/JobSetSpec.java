package dev.waymark.trainer.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * What a JobSet (jobset.x-k8s.io/v1alpha2) is made of. Its policies concern the JobSet controller
 * only: they pass through this project as the JSON that they are.
 *
 * @param replicatedJobs by name; or null
 * @param network how pods are named to each other, or null
 * @param suspend true: no pods; or null
 * @param successPolicy which jobs must complete, or null for all
 * @param failurePolicy what happens when a job fails, or null
 * @param startupPolicy in which order jobs start, or null for any
 * @param coordinator the pod whose name all others learn, or null
 * @param managedBy who reconciles the JobSet; null counts as its own controller
 * @param ttlSecondsAfterFinished how long the JobSet stays after its end, at least 0; or null
 * @param volumeClaimPolicies volumes that are claimed for the jobs, or null
 * @param additionalProperties fields beside the known ones, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobSetSpec(
    List<ReplicatedJob> replicatedJobs,
    Network network,
    Boolean suspend,
    Map<String, Object> successPolicy,
    Map<String, Object> failurePolicy,
    Map<String, Object> startupPolicy,
    Map<String, Object> coordinator,
    String managedBy,
    Integer ttlSecondsAfterFinished,
    List<Map<String, Object>> volumeClaimPolicies,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

  public JobSetSpec {
    replicatedJobs = Copies.of(replicatedJobs);
    successPolicy = Copies.of(successPolicy);
    failurePolicy = Copies.of(failurePolicy);
    startupPolicy = Copies.of(startupPolicy);
    coordinator = Copies.of(coordinator);
    volumeClaimPolicies = Copies.of(volumeClaimPolicies);
    additionalProperties = Copies.ofUnknown(additionalProperties);
  }

  /** The same with other jobs, suspended or not. Both may be null. */
  public JobSetSpec with(List<ReplicatedJob> replicatedJobs, Boolean suspend) {
    return new JobSetSpec(
        replicatedJobs,
        network,
        suspend,
        successPolicy,
        failurePolicy,
        startupPolicy,
        coordinator,
        managedBy,
        ttlSecondsAfterFinished,
        volumeClaimPolicies,
        additionalProperties);
  }

  /**
   * Host names of the pods.
   *
   * @param enableDNSHostnames null counts as true
   * @param subdomain null counts as the JobSet's name
   * @param publishNotReadyAddresses null counts as true
   * @param additionalProperties fields beside the known ones
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Network(
      Boolean enableDNSHostnames,
      String subdomain,
      Boolean publishNotReadyAddresses,
      @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

    public Network {
      additionalProperties = Copies.ofUnknown(additionalProperties);
    }
  }
}
