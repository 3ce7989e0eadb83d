package dev.waymark.djl;

import java.time.Duration;

/** How long nothing may be heard of a training before it counts as over. */
final class Quiet {
  static final Duration ONE_MINUTE = Duration.ofMinutes(1);

  /**
   * Between two epochs, or fits of one, a program may evaluate or save for long: only the JVM's end
   * tells.
   */
  static final Duration UNTIL_JVM_ENDS = Duration.ofDays(36_500);

  private Quiet() {}
}
