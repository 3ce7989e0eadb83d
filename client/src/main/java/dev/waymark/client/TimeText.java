package dev.waymark.client;

import java.time.Duration;

/** Says a time as people and kubectl write it: {@code 90s} is {@code 1m30s}. */
final class TimeText {

  /** To the second; what is less than half of one is {@code 0s}. */
  static String of(Duration time) {
    Duration rounded = time.plusMillis(500);
    StringBuilder text = new StringBuilder();
    append(text, rounded.toHours(), "h");
    append(text, rounded.toMinutesPart(), "m");
    append(text, rounded.toSecondsPart(), "s");
    return text.isEmpty() ? "0s" : text.toString();
  }

  private static void append(StringBuilder text, long number, String unit) {
    if (number > 0) {
      text.append(number).append(unit);
    }
  }

  private TimeText() {}
}
