package dev.waymark.cli;

import dev.waymark.cli.run.LocalRun;
import dev.waymark.cli.text.PrintableText;
import java.io.PrintWriter;

/** Tells that Waymark itself has failed. */
final class Defect {

  /** Of what is said, in UTF-16 units. */
  private static final int LONGEST_MESSAGE = 500;

  /**
   * Says it in one line; where it comes from is for who looks for it.
   *
   * @return the exit code
   */
  static int explain(Throwable defect, PrintWriter err) {
    String what = PrintableText.of(defect.toString(), LONGEST_MESSAGE);
    err.println("waymark: Waymark itself failed: " + what + " (WAYMARK_LOG=debug says where)");
    if ("debug".equalsIgnoreCase(System.getenv("WAYMARK_LOG"))) {
      defect.printStackTrace(err);
    }
    return LocalRun.OWN_FAILURE;
  }

  private Defect() {}
}
