package dev.waymark.trainer.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import java.util.List;
import java.util.Map;

/**
 * One thing to fetch: {@code spec.initializer.dataset} or {@code spec.initializer.model}.
 *
 * @param storageUri where it lies, such as {@code hf://org/name}; or null
 * @param env for the initializer's container, at most 128; or null
 * @param secretRef a Secret whose keys become environment variables; or null
 * @param additionalProperties fields beside the known ones, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StorageInitializer(
    String storageUri,
    List<EnvVar> env,
    LocalObjectReference secretRef,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

  public StorageInitializer {
    env = Copies.of(env);
    additionalProperties = Copies.ofUnknown(additionalProperties);
  }
}
