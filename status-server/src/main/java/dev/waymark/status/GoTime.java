package dev.waymark.status;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a time as Go's {@code time.Parse} does for the layout RFC 3339 (as of Go 1.26), which takes
 * a bit more than the RFC: an hour of one digit, a comma before the fraction, offsets up to +24:60.
 */
final class GoTime {

  private static final Pattern LAYOUT =
      Pattern.compile(
          "(\\d{4})-(\\d\\d)-(\\d\\d)T(\\d{1,2}):(\\d\\d):(\\d\\d)(?:[.,](\\d+))?"
              + "(?:Z|([+-])(\\d\\d):(\\d\\d))");

  private static final int MAX_OFFSET_HOURS = 24;
  private static final int MAX_OFFSET_MINUTES = 60;
  private static final int NANO_DIGITS = 9;

  /** Go's zero time, which Kubernetes' types treat as "no time". */
  private static final Instant ZERO = Instant.parse("0001-01-01T00:00:00Z");

  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  private GoTime() {}

  /**
   * Parses a time.
   *
   * @return in whole seconds (a fraction is cut off), or null for Go's zero time
   */
  static Instant parse(String text) throws InvalidPayloadException {
    Matcher m = LAYOUT.matcher(text);
    if (!m.matches()) {
      throw new InvalidPayloadException("not a time as RFC 3339 has it: " + text);
    }
    Instant time;
    try {
      time =
          LocalDateTime.of(
                  number(m, 1),
                  number(m, 2),
                  number(m, 3),
                  number(m, 4),
                  number(m, 5),
                  number(m, 6))
              .toInstant(ZoneOffset.UTC)
              .minusSeconds(offsetSeconds(m));
    } catch (DateTimeException e) {
      throw new InvalidPayloadException(text + ": " + e.getMessage());
    }
    if (time.equals(ZERO) && !hasNanos(m.group(7))) {
      return null;
    }
    // Go would print a year of another length, which the API server refuses.
    if (time.isBefore(FIRST) || time.isAfter(LAST)) {
      throw new InvalidPayloadException("out of range in UTC: " + text);
    }
    return time;
  }

  private static int offsetSeconds(Matcher m) throws InvalidPayloadException {
    if (m.group(8) == null) {
      return 0;
    }
    int hours = number(m, 9);
    int minutes = number(m, 10);
    if (hours > MAX_OFFSET_HOURS || minutes > MAX_OFFSET_MINUTES) {
      throw new InvalidPayloadException("offset out of range: " + m.group());
    }
    int seconds = (hours * 60 + minutes) * 60;
    return m.group(8).equals("-") ? -seconds : seconds;
  }

  private static boolean hasNanos(String fraction) {
    return fraction != null && fraction.chars().limit(NANO_DIGITS).anyMatch(digit -> digit != '0');
  }

  private static int number(Matcher m, int group) {
    return Integer.parseInt(m.group(group));
  }
}
