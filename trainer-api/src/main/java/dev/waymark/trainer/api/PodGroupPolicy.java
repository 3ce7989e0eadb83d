package dev.waymark.trainer.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;

/**
 * Gang scheduling: all pods of a TrainJob start together or none does.
 *
 * @param coscheduling by the scheduler-plugins project, or null
 * @param volcano by Volcano, or null
 * @param additionalProperties fields beside the known ones, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PodGroupPolicy(
    Coscheduling coscheduling,
    Volcano volcano,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

  public PodGroupPolicy {
    additionalProperties = Copies.ofUnknown(additionalProperties);
  }

  /**
   * Gangs by scheduler-plugins.
   *
   * @param scheduleTimeoutSeconds null counts as 60
   * @param additionalProperties fields beside the known ones
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Coscheduling(
      Integer scheduleTimeoutSeconds,
      @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

    public Coscheduling {
      additionalProperties = Copies.ofUnknown(additionalProperties);
    }
  }

  /**
   * Gangs by Volcano.
   *
   * @param networkTopology how near the pods must be to each other, or null
   * @param additionalProperties fields beside the known ones
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Volcano(
      NetworkTopology networkTopology,
      @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

    public Volcano {
      additionalProperties = Copies.ofUnknown(additionalProperties);
    }
  }

  /**
   * How near pods must be.
   *
   * @param mode {@code hard} or {@code soft}; null counts as hard
   * @param highestTierAllowed null counts as 1
   * @param additionalProperties fields beside the known ones
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record NetworkTopology(
      String mode,
      Integer highestTierAllowed,
      @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

    public NetworkTopology {
      additionalProperties = Copies.ofUnknown(additionalProperties);
    }
  }
}
