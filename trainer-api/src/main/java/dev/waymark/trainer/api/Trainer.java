package dev.waymark.trainer.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.List;
import java.util.Map;

/**
 * What a TrainJob changes in the container named {@code node} of the runtime's trainer job.
 *
 * @param image replaces the runtime's, or null
 * @param command replaces the runtime's, or null
 * @param args replaces the runtime's, or null
 * @param env added to the runtime's by name, at most 128; or null
 * @param numNodes pods, at least 0; or null for the runtime's number
 * @param resourcesPerNode merged by key over the runtime's, or null
 * @param numProcPerNode processes in a pod, at least 1; or null for what the ML policy finds out
 * @param additionalProperties fields beside the known ones, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Trainer(
    String image,
    List<String> command,
    List<String> args,
    List<EnvVar> env,
    Integer numNodes,
    ResourceRequirements resourcesPerNode,
    Integer numProcPerNode,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

  public Trainer {
    command = Copies.of(command);
    args = Copies.of(args);
    env = Copies.of(env);
    additionalProperties = Copies.ofUnknown(additionalProperties);
  }
}
