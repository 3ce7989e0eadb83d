package dev.waymark.reporter;

import java.util.Locale;

/**
 * What the reporter tells the person who reads the training's output: plain lines on standard
 * error, {@code [waymark] LEVEL text}. No logging framework, since the reporter lives in other
 * people's JVMs. Any thread may call it; it never throws.
 */
final class Log {
  /** How much is told; the setting WAYMARK_LOG. */
  enum Level {
    OFF,
    WARN,
    INFO,
    DEBUG
  }

  private final Level level;

  Log(Level level) {
    this.level = level;
  }

  void warn(String text) {
    line(Level.WARN, text);
  }

  void info(String text) {
    line(Level.INFO, text);
  }

  void debug(String text) {
    line(Level.DEBUG, text);
  }

  private void line(Level lineLevel, String text) {
    if (lineLevel.compareTo(level) <= 0) {
      // One call, so that lines of several threads don't mix; System.err is asked anew, as programs
      // replace it.
      System.err.println(format(lineLevel, text));
    }
  }

  /**
   * A line stays one line, and can't steer a terminal, whatever a server or a file put into the
   * text.
   */
  static String format(Level level, String text) {
    StringBuilder line = new StringBuilder(text.length() + 16);
    line.append("[waymark] ").append(level.name().toUpperCase(Locale.ROOT)).append(' ');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      line.append(Character.isISOControl(c) ? ' ' : c);
    }
    return line.toString();
  }
}
