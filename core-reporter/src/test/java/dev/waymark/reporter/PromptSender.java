package dev.waymark.reporter;

import java.lang.reflect.Field;
import java.time.Duration;

/**
 * Makes a sender look for last words now, as it does when the JVM ends, and send them: by itself it
 * looks once a second, for which the tests of listeners would wait hundreds of times.
 */
public final class PromptSender {
  /** So long that even its first sixth is enough for last words that aren't the newest. */
  private static final Duration AMPLE = Duration.ofMinutes(5);

  private PromptSender() {}

  /** That of this JVM; does nothing while there is none. */
  public static void flush() {
    flush(Reporter.shared());
  }

  static void flush(Reporter reporter) {
    StatusSender sender = senderOf(reporter);
    if (sender != null) {
      sender.flush(AMPLE);
    }
  }

  private static StatusSender senderOf(Reporter reporter) {
    try {
      Field sender = Reporter.class.getDeclaredField("sender");
      sender.setAccessible(true);
      synchronized (reporter) {
        return (StatusSender) sender.get(reporter);
      }
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
