package dev.waymark.cli.terminal;

import dev.waymark.trainer.api.TrainerStatus;
import java.time.Duration;

/** What there is to say about a run that has ended, line by line. */
public final class ClosingLines {

  private ClosingLines() {}

  /** What the program said last. */
  public static String lastStatus(TrainerStatus last) {
    StatusText text = new StatusText(last);
    return StatusText.joined(
        text.state(), text.percent(), text.epoch(), text.step(), text.figures());
  }

  /**
   * How the program ended.
   *
   * @param exitCode above 128: ended by that signal
   * @param took from its start to its end
   */
  public static String programEnded(int exitCode, Duration took) {
    String end =
        exitCode > 128 && exitCode < 160
            ? "program ended by signal " + (exitCode - 128)
            : "program exited with " + exitCode;
    return end + " after " + StatusText.clock(took);
  }
}
