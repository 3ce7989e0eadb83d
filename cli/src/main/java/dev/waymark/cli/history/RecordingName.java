package dev.waymark.cli.history;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;

/** Names of recordings: they sort by time, and differ between processes that start at once. */
final class RecordingName {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssSSS'Z'").withZone(ZoneOffset.UTC);
  private static final Pattern NAME = Pattern.compile("\\d{8}T\\d{9}Z-[0-9a-f]{8}");
  private static final SecureRandom RANDOM = new SecureRandom();

  private RecordingName() {}

  static String of(Instant startedAt) {
    return "%s-%08x".formatted(TIME.format(startedAt), RANDOM.nextInt());
  }

  static boolean isOne(String name) {
    return NAME.matcher(name).matches();
  }
}
