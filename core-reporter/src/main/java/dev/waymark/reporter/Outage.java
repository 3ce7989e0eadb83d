package dev.waymark.reporter;

import java.util.concurrent.TimeUnit;

/**
 * Tells a person about trouble with the endpoint: one WARN when it begins, one INFO when it is
 * over, however often attempts fail in between (those are DEBUG lines). Any thread may call it.
 */
final class Outage {
  private final String endpoint;
  private final Log log;
  private boolean on;
  private long began;

  Outage(String endpoint, Log log) {
    this.endpoint = endpoint;
    this.log = log;
  }

  void attemptFailed(String reason, long now) {
    failed(reason, "Training goes on; Waymark keeps trying.", now);
  }

  /** Of an attempt to get the last word out, after which there may be no training and no other. */
  void lastAttemptFailed(String reason, long now) {
    failed(reason, "The last status may not have arrived.", now);
  }

  private synchronized void failed(String reason, String outlook, long now) {
    String text = "no report reached " + endpoint + ": " + reason;
    if (on) {
      log.debug(text);
      return;
    }
    on = true;
    began = now;
    log.warn(text + ". " + outlook);
  }

  synchronized void attemptSucceeded(long now) {
    if (on) {
      on = false;
      long seconds = TimeUnit.NANOSECONDS.toSeconds(now - began);
      log.info("reports reach " + endpoint + " again, after " + seconds + " s");
    }
  }
}
