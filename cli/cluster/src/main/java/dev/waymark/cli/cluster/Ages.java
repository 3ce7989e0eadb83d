package dev.waymark.cli.cluster;

import java.time.Duration;
import java.time.Instant;

/** How long ago something was, in kubectl's words: the two largest units at most. */
final class Ages {

  static String of(Instant then, Instant now) {
    Duration age = Duration.between(then, now);
    if (age.isNegative()) {
      return "0s";
    } else if (age.toMinutes() < 2) {
      return age.toSeconds() + "s";
    } else if (age.toMinutes() < 10) {
      return age.toMinutes() + "m" + part(age.toSecondsPart(), "s");
    } else if (age.toHours() < 3) {
      return age.toMinutes() + "m";
    } else if (age.toHours() < 8) {
      return age.toHours() + "h" + part(age.toMinutesPart(), "m");
    } else if (age.toHours() < 48) {
      return age.toHours() + "h";
    }
    return age.toDays() + "d";
  }

  private static String part(int number, String unit) {
    return number == 0 ? "" : number + unit;
  }

  private Ages() {}
}
