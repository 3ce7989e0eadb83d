package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class LoggingTest {

  @Test
  void writesOneJsonObjectALine() throws Exception {
    LogRecord entry =
        new LogRecord(Level.WARNING, "a \"quoted\"\n\ttext \\ with \u0001 and \ud83d\ude80");
    entry.setLoggerName("dev.waymark.Test");
    entry.setThrown(new IllegalStateException("broken"));

    String line = formatted(Logging.Format.JSON, entry);

    assertThat(line).endsWith("}\n").hasLineCount(1);
    JsonNode json = new ObjectMapper().readTree(line);
    assertThat(json.path("msg").asText())
        .isEqualTo("a \"quoted\"\n\ttext \\ with \u0001 and \ud83d\ude80");
    assertThat(json.path("level").asText()).isEqualTo("warn");
    assertThat(json.path("logger").asText()).isEqualTo("dev.waymark.Test");
    assertThat(json.path("error").asText()).isEqualTo("java.lang.IllegalStateException: broken");
    assertThat(json.path("stack").asText()).contains("LoggingTest");
  }

  @Test
  void writesPlainLines() {
    LogRecord entry = new LogRecord(Level.FINE, "done");
    entry.setLoggerName("dev.waymark.Test");

    assertThat(formatted(Logging.Format.PLAIN, entry)).matches("[0-9TZ:.-]+ DEBUG Test done\\n");
  }

  private static String formatted(Logging.Format format, LogRecord entry) {
    Formatter formatter = format.formatter();
    return formatter.format(entry);
  }
}
