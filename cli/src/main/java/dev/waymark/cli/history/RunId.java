package dev.waymark.cli.history;

/**
 * Which run: the recording of a {@code waymark run}, and the number of the training within it.
 *
 * @param recording name of its file, without the ending
 * @param number 1, 2, ...: the metric {@code run} (1 where it isn't reported), or the next free
 *     number where a later program counts from 1 again
 */
public record RunId(String recording, int number) {

  @Override
  public String toString() {
    return recording + "/" + number;
  }
}
