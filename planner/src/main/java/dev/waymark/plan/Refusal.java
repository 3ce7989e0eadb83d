package dev.waymark.plan;

/**
 * One reason why a TrainJob can't be planned, told to the person who wrote it.
 *
 * @param resource whose field it is, such as {@code TrainJob demo}
 * @param field path of the field, such as {@code spec.trainer.env}
 * @param message what is wrong and what would be right
 */
public record Refusal(String resource, String field, String message) {

  /** {@code TrainJob demo: spec.trainer.env: ...}. */
  @Override
  public String toString() {
    return resource + ": " + field + ": " + message;
  }
}
