package dev.waymark.reporter;

import static java.util.stream.Collectors.toList;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** A log whose lines a test can read: standard error is ours until it is closed. */
final class LogLines implements AutoCloseable {
  private final PrintStream former = System.err;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final Log log = new Log(Log.Level.DEBUG);

  LogLines() {
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
  }

  Log log() {
    return log;
  }

  /** Every line, of others too. */
  List<String> all() {
    return bytes.toString(StandardCharsets.UTF_8).lines().collect(toList());
  }

  List<String> warnings() {
    return level("WARN");
  }

  List<String> infos() {
    return level("INFO");
  }

  List<String> debugs() {
    return level("DEBUG");
  }

  private List<String> level(String level) {
    String prefix = "[waymark] " + level + " ";
    return Arrays.stream(bytes.toString(StandardCharsets.UTF_8).split("\\R"))
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()))
        .collect(toList());
  }

  @Override
  public void close() {
    System.setErr(former);
  }
}
