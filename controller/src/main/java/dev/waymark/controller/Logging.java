package dev.waymark.controller;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * How the controller logs: on stderr, a line a record.
 *
 * @param format of a line
 * @param level least important records that are written
 */
public record Logging(Format format, Level level) {

  /** What a line looks like. */
  public enum Format {
    /** Time, level, logger, message. */
    PLAIN,
    /** An object with the members ts, level, logger, msg and, after a failure, error and stack. */
    JSON;

    Formatter formatter() {
      return this == JSON ? new JsonLines() : new PlainLines();
    }

    static Format of(String name, Consumer<String> problems) {
      for (Format format : values()) {
        if (format.name().equalsIgnoreCase(name)) {
          return format;
        }
      }
      problems.accept("--log-format must be plain or json, not \"" + name + "\"");
      return PLAIN;
    }
  }

  /** Importance of a record. */
  public enum Level {
    ERROR(java.util.logging.Level.SEVERE),
    WARN(java.util.logging.Level.WARNING),
    INFO(java.util.logging.Level.INFO),
    DEBUG(java.util.logging.Level.FINE);

    @SuppressWarnings("ImmutableEnumChecker") // nobody changes a level of the JDK
    private final java.util.logging.Level jdk;

    Level(java.util.logging.Level jdk) {
      this.jdk = jdk;
    }

    static Level of(String name, Consumer<String> problems) {
      for (Level level : values()) {
        if (level.name().equalsIgnoreCase(name)) {
          return level;
        }
      }
      problems.accept("--log-level must be error, warn, info or debug, not \"" + name + "\"");
      return INFO;
    }

    /** The name of the level that a record of the JDK's has. */
    static String nameOf(LogRecord entry) {
      int value = entry.getLevel().intValue();
      for (Level level : values()) {
        if (value >= level.jdk.intValue()) {
          return level.name().toLowerCase(Locale.ROOT);
        }
      }
      return "debug";
    }
  }

  /**
   * Loggers that say too much for their level, seen in JOSDK 5.3.2 and fabric8 7.6.1: a stack trace
   * for each retry of a reconcile (ours logs one line), and a warning for each type without a
   * stable version.
   */
  private static final Map<String, java.util.logging.Level> QUIETER =
      Map.of(
          "io.javaoperatorsdk.operator.processing.event.EventProcessor",
          java.util.logging.Level.SEVERE,
          "io.fabric8.kubernetes.client.utils.ApiVersionUtil",
          java.util.logging.Level.SEVERE,
          "io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils",
          java.util.logging.Level.SEVERE);

  /** Keeps the loggers, which the JDK would forget with their levels. */
  private static final Map<String, Logger> KEPT = new java.util.concurrent.ConcurrentHashMap<>();

  /** Makes this the way in which the whole process logs. */
  public void install() {
    LogManager.getLogManager().reset();
    ConsoleHandler handler = new ConsoleHandler();
    handler.setFormatter(format.formatter());
    handler.setLevel(java.util.logging.Level.ALL);
    Logger root = Logger.getLogger("");
    root.addHandler(handler);
    root.setLevel(level.jdk);
    if (level != Level.DEBUG) {
      // No method reference: that of one that looks at its caller takes the JVM a dozen classes.
      QUIETER.forEach(
          (name, quieter) ->
              KEPT.computeIfAbsent(name, it -> Logger.getLogger(it)).setLevel(quieter));
    }
  }

  private static final class PlainLines extends Formatter {
    @Override
    public String format(LogRecord entry) {
      String line =
          Instant.ofEpochMilli(entry.getMillis())
              + " "
              + Level.nameOf(entry).toUpperCase(Locale.ROOT)
              + " "
              + simpleName(entry.getLoggerName())
              + " "
              + formatMessage(entry)
              + "\n";
      return entry.getThrown() == null ? line : line + stackOf(entry.getThrown());
    }

    private static String simpleName(String logger) {
      return logger == null ? "root" : logger.substring(logger.lastIndexOf('.') + 1);
    }
  }

  private static final class JsonLines extends Formatter {
    @Override
    public String format(LogRecord entry) {
      StringBuilder json = new StringBuilder(256);
      json.append('{');
      member(json, "ts", Instant.ofEpochMilli(entry.getMillis()).toString());
      member(json, "level", Level.nameOf(entry));
      member(json, "logger", String.valueOf(entry.getLoggerName()));
      member(json, "msg", formatMessage(entry));
      if (entry.getThrown() != null) {
        member(json, "error", entry.getThrown().toString());
        member(json, "stack", stackOf(entry.getThrown()));
      }
      return json.append("}\n").toString();
    }

    private static void member(StringBuilder json, String name, String value) {
      if (json.length() > 1) {
        json.append(',');
      }
      json.append('"').append(name).append("\":\"");
      value.chars().forEach(c -> escape(json, (char) c));
      json.append('"');
    }

    private static void escape(StringBuilder json, char c) {
      switch (c) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '\n' -> json.append("\\n");
        case '\t' -> json.append("\\t");
        default -> {
          if (c < 0x20 || Character.isSurrogate(c)) {
            json.append(String.format("\\u%04x", (int) c));
          } else {
            json.append(c);
          }
        }
      }
    }
  }

  private static String stackOf(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
