package dev.waymark.cli.cluster;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A time as kubectl takes it: {@code 90s}, {@code 10m}, {@code 1h30m}; a number alone is seconds.
 */
final class DurationConverter implements ITypeConverter<Duration> {

  private static final Pattern DURATION =
      Pattern.compile("(?:([0-9]{1,6})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,9})s?)?");

  @Override
  public Duration convert(String text) {
    Matcher parts = DURATION.matcher(text);
    if (text.isEmpty() || !parts.matches()) {
      throw new TypeConversionException("\"" + text + "\" is no time: write 90s, 10m or 1h30m");
    }
    return Duration.ofHours(number(parts.group(1)))
        .plusMinutes(number(parts.group(2)))
        .plusSeconds(number(parts.group(3)));
  }

  private static long number(String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }
}
