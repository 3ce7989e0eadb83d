package dev.waymark.cli.terminal;

import dev.waymark.trainer.api.TrainerStatus;
import java.time.Duration;
import java.util.List;

/** What there is to say about a run that has ended. */
public final class RunSummary {

  private RunSummary() {}

  /**
   * The last status and how the program ended, line by line.
   *
   * @param took from the program's start to its end
   */
  public static List<String> lines(TrainerStatus last, int exitCode, Duration took) {
    StatusText text = new StatusText(last);
    return List.of(
        StatusText.joined(text.state(), text.percent(), text.epoch(), text.step(), text.figures()),
        programEnded(exitCode, took));
  }

  /** How the program ended. */
  public static String programEnded(int exitCode, Duration took) {
    String end =
        exitCode > 128 && exitCode < 160
            ? "program ended by signal " + (exitCode - 128)
            : "program exited with " + exitCode;
    return end + " after " + StatusText.clock(took);
  }
}
