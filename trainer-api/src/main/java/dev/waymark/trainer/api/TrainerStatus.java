package dev.waymark.trainer.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;

/**
 * What a training program last said about itself: {@code status.trainerStatus} of a TrainJob. Every
 * update replaces all of it. The limits below are those of the TrainJob CRD; this type does not
 * check them.
 *
 * @param progressPercentage 0 to 100, or null when unknown
 * @param estimatedRemainingSeconds at least 0, or null when unknown
 * @param metrics at most 256, or null when there are none
 * @param lastUpdatedTime when the program said it; null only in a document that a server refuses
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record TrainerStatus(
    Integer progressPercentage,
    Integer estimatedRemainingSeconds,
    List<Metric> metrics,
    Instant lastUpdatedTime) {

  /**
   * A named figure.
   *
   * @param name 1 to 64 characters
   * @param value 1 to 64 characters, a number as text or a word
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Metric(String name, String value) {}
}
