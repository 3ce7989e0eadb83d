package dev.waymark.agent;

/**
 * The agent's lines for the person who reads the training's output, on standard error and in the
 * reporter's form. The reporter's own log is out of reach before its loader exists.
 */
public final class Log {
  private Log() {}

  /** Prints one line unless {@code WAYMARK_LOG} asks for less. Never throws. */
  public static void info(String text) {
    String setting = Activation.setting("WAYMARK_LOG");
    String level = setting == null ? "" : setting.strip();
    if (!level.equalsIgnoreCase("off") && !level.equalsIgnoreCase("warn")) {
      System.err.println("[waymark] INFO " + text.replaceAll("\\p{Cntrl}", " "));
    }
  }
}
