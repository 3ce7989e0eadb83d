package dev.waymark.trainer.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What a training program last said about itself: {@code status.trainerStatus} of a TrainJob. Every
 * update replaces all of it. The limits below are those of the TrainJob CRD; this type does not
 * check them.
 *
 * @param progressPercentage 0 to 100, or null when unknown
 * @param estimatedRemainingSeconds at least 0, or null when unknown
 * @param metrics at most 256, or null when there are none
 * @param lastUpdatedTime when the program said it; null only in a document that a server refuses
 * @param additionalProperties fields beside the known ones, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TrainerStatus(
    Integer progressPercentage,
    Integer estimatedRemainingSeconds,
    List<Metric> metrics,
    @JsonFormat(shape = JsonFormat.Shape.STRING) Instant lastUpdatedTime,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

  public TrainerStatus {
    metrics = Copies.of(metrics);
    additionalProperties = Copies.ofUnknown(additionalProperties);
  }

  /** A status of nothing but the known fields. */
  public TrainerStatus(
      Integer progressPercentage,
      Integer estimatedRemainingSeconds,
      List<Metric> metrics,
      Instant lastUpdatedTime) {
    this(progressPercentage, estimatedRemainingSeconds, metrics, lastUpdatedTime, null);
  }

  /**
   * A named figure.
   *
   * @param name 1 to 64 characters
   * @param value 1 to 64 characters, a number as text or a word
   * @param additionalProperties fields beside the known ones, as they were read
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Metric(
      String name,
      String value,
      @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

    public Metric {
      additionalProperties = Copies.ofUnknown(additionalProperties);
    }

    /** A figure of nothing but the known fields. */
    public Metric(String name, String value) {
      this(name, value, null);
    }
  }
}
