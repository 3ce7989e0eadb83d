package dev.waymark.reporter;

import java.util.concurrent.TimeUnit;

/**
 * Tells a person about trouble with the endpoint: one WARN when it begins, one INFO when it is
 * over, however often attempts fail in between (those are DEBUG lines). Any thread may call it.
 */
final class Outage {
  private final String endpoint;
  private final Log log;
  private boolean reached;
  private boolean on;
  private long began;

  Outage(String endpoint, Log log) {
    this.endpoint = endpoint;
    this.log = log;
  }

  void attemptFailed(String reason, long now) {
    failed(reason, "Training goes on; Waymark keeps trying.", now);
  }

  /**
   * Of an attempt to get the last words out, after which there may be no training and no other.
   *
   * @param runs how many runs have a last word that is not acknowledged
   */
  void lastAttemptFailed(String reason, int runs, long now) {
    String whose = runs == 1 ? "" : " of " + runs + " runs";
    failed(reason, "The last status" + whose + " may not have arrived.", now);
  }

  /** The newest last word has arrived, and it is too late for those before it. */
  void olderLastWordsDropped(int runs) {
    log.warn(
        "the last status of "
            + (runs == 1 ? "an earlier run" : runs + " earlier runs")
            + " may not have reached "
            + endpoint
            + ": when the program ended there was time for the newest only");
  }

  private synchronized void failed(String reason, String outlook, long now) {
    String text =
        (reached
                ? "no report reaches " + endpoint + " any more: "
                : "no report reached " + endpoint + ": ")
            + reason;
    if (on) {
      log.debug(text);
      return;
    }
    on = true;
    began = now;
    log.warn(text + ". " + outlook);
  }

  synchronized void attemptSucceeded(long now) {
    reached = true;
    if (on) {
      on = false;
      long seconds = TimeUnit.NANOSECONDS.toSeconds(now - began);
      log.info("reports reach " + endpoint + " again, after " + seconds + " s");
    }
  }
}
