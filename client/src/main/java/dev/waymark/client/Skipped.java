package dev.waymark.client;

/**
 * Something that is left out of a listing.
 *
 * @param title kind and name, such as {@code TrainJob demo}
 * @param reason why, for people
 */
public record Skipped(String title, String reason) {

  /** {@code TrainJob demo: ...}. */
  @Override
  public String toString() {
    return title + ": " + reason;
  }
}
