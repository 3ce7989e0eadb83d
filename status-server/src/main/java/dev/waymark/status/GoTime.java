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

  private static final String USUAL = "0000-00-00T00:00:00Z";
  private static final int DECIMAL = 10;

  private static final int MAX_OFFSET_HOURS = 24;
  private static final int MAX_OFFSET_MINUTES = 60;
  private static final int NANO_DIGITS = 9;

  /** Go's zero time, which Kubernetes' types treat as "no time". */
  private static final Instant ZERO = Instant.parse("0001-01-01T00:00:00Z");

  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  /**
   * Parses a time.
   *
   * @return in whole seconds (a fraction is cut off), or null for Go's zero time
   */
  static Instant parse(String text) throws InvalidPayloadException {
    try {
      return isUsual(text) ? parseUsual(text) : parseAny(text);
    } catch (DateTimeException e) {
      throw new InvalidPayloadException(text + ": " + e.getMessage());
    }
  }

  /** Whether a text is a time as nearly all programs write it, without fraction and in UTC. */
  private static boolean isUsual(String text) {
    if (text.length() != USUAL.length()) {
      return false;
    }
    for (int i = 0; i < USUAL.length(); i++) {
      char wanted = USUAL.charAt(i);
      char c = text.charAt(i);
      if (wanted == '0' ? c < '0' || c > '9' : c != wanted) {
        return false;
      }
    }
    return true;
  }

  /** A tenth of what the regular expression costs, which stands in for all other times. */
  private static Instant parseUsual(String text) {
    Instant time =
        LocalDateTime.of(
                Integer.parseInt(text, 0, 4, DECIMAL),
                Integer.parseInt(text, 5, 7, DECIMAL),
                Integer.parseInt(text, 8, 10, DECIMAL),
                Integer.parseInt(text, 11, 13, DECIMAL),
                Integer.parseInt(text, 14, 16, DECIMAL),
                Integer.parseInt(text, 17, 19, DECIMAL))
            .toInstant(ZoneOffset.UTC);
    return time.equals(ZERO) ? null : time;
  }

  private static Instant parseAny(String text) throws InvalidPayloadException {
    Matcher m = LAYOUT.matcher(text);
    if (!m.matches()) {
      throw new InvalidPayloadException("not a time as RFC 3339 has it: " + text);
    }
    Instant time =
        LocalDateTime.of(
                number(m, 1), number(m, 2), number(m, 3), number(m, 4), number(m, 5), number(m, 6))
            .toInstant(ZoneOffset.UTC)
            .minusSeconds(offsetSeconds(m));
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

  private GoTime() {}
}
