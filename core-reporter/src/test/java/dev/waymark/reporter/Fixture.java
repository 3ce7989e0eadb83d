package dev.waymark.reporter;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** What a tool printed once, from a file whose header lines tell where that was seen. */
final class Fixture {
  private Fixture() {}

  /** The text without its header. */
  static String read(String path) {
    try (InputStream in = Fixture.class.getResourceAsStream("/" + path)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      if (!text.startsWith("# ")) {
        throw new IllegalStateException(path + " doesn't tell its source");
      }
      return text.lines().filter(line -> !line.startsWith("#")).collect(joining("\n", "", "\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
