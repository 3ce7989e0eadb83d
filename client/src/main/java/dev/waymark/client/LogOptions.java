package dev.waymark.client;

import java.time.Duration;

/**
 * Which lines of which pods.
 *
 * @param step such as {@code node-0} or {@code dataset-initializer}; null: all nodes
 * @param follow whether to go on until the container has ended
 * @param previous whether to read what the container before the present one said, which crashed
 * @param tailLines only the last so many lines, at least 0; or null for all
 * @param patience how long to wait for a pod that isn't there or doesn't run yet; 0: not at all
 */
public record LogOptions(
    String step, boolean follow, boolean previous, Integer tailLines, Duration patience) {

  /** All that the first node has said so far. */
  public static LogOptions standard() {
    return new LogOptions("node-0", false, false, null, Duration.ofMinutes(10));
  }

  public LogOptions ofStep(String step) {
    return new LogOptions(step, follow, previous, tailLines, patience);
  }

  public LogOptions ofAllNodes() {
    return new LogOptions(null, follow, previous, tailLines, patience);
  }

  public LogOptions following() {
    return new LogOptions(step, true, previous, tailLines, patience);
  }

  LogOptions withoutFollowing() {
    return new LogOptions(step, false, previous, tailLines, patience);
  }

  public LogOptions ofPrevious() {
    return new LogOptions(step, follow, true, tailLines, patience);
  }

  public LogOptions tail(int lines) {
    return new LogOptions(step, follow, previous, lines, patience);
  }

  public LogOptions withPatience(Duration patience) {
    return new LogOptions(step, follow, previous, tailLines, patience);
  }
}
