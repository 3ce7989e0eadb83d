package dev.waymark.trainer.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * The parts of a JobSet (jobset.x-k8s.io/v1alpha2) that planning reads. All others (policies,
 * limits, claims) pass through untouched among the additional properties.
 *
 * @param replicatedJobs by name; or null
 * @param network how pods are named to each other, or null
 * @param suspend true: no pods; or null
 * @param additionalProperties fields beside the known ones, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobSetSpec(
    List<ReplicatedJob> replicatedJobs,
    Network network,
    Boolean suspend,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

  public JobSetSpec {
    replicatedJobs = Copies.of(replicatedJobs);
    additionalProperties = Copies.ofUnknown(additionalProperties);
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
