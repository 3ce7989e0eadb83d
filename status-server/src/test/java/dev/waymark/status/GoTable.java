package dev.waymark.status;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Tables of what Go answers, made by the program in src/test/go: case, code, text. */
final class GoTable {

  private GoTable() {}

  static Stream<Arguments> rows(String resource) throws IOException {
    try (InputStream table = GoTable.class.getResourceAsStream(resource)) {
      return new String(table.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isEmpty() && !line.startsWith("#"))
          .map(line -> line.split("\t", 3))
          .map(columns -> arguments(columns[0], Integer.parseInt(columns[1]), columns[2]));
    }
  }
}
