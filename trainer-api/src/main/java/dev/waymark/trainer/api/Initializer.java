package dev.waymark.trainer.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;

/**
 * What is fetched into the runtime's shared volume before the training starts.
 *
 * @param dataset or null
 * @param model or null
 * @param additionalProperties fields beside the known ones, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Initializer(
    StorageInitializer dataset,
    StorageInitializer model,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

  public Initializer {
    additionalProperties = Copies.ofUnknown(additionalProperties);
  }
}
