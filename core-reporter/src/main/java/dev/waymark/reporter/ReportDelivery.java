package dev.waymark.reporter;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Gets one report accepted, within one deadline: sends the token anew when it was refused, and a
 * smaller document when the full one was. Remembers the size that the server takes. Used by one
 * thread.
 */
final class ReportDelivery {
  /** What became of a report. */
  enum Result {
    ACCEPTED,
    NOT_FOUND,
    FAILED
  }

  private enum Size {
    FULL,
    ESSENTIAL,
    BARE;

    byte[] of(Report report) {
      switch (this) {
        case FULL:
          return report.full();
        case ESSENTIAL:
          return report.essential();
        default:
          return report.bare();
      }
    }
  }

  private static final Pattern STATUS_MESSAGE =
      Pattern.compile("\"message\"\\s*:\\s*\"([^\"\\\\]*)");

  private static final int MAX_MESSAGE = 200;

  /** Reports until the full size is tried again: a minute at first, an hour at last (at 5 s). */
  private static final int FIRST_PATIENCE = 12;

  private static final int MAX_PATIENCE = 720;

  private final StatusEndpoint endpoint;
  private final Log log;
  private Size accepted = Size.FULL;
  private int patience = FIRST_PATIENCE;
  private int reportsUntilFull;
  private boolean toldOfSize;

  /** Since a report was refused whatever its size, none has been accepted. */
  private boolean refusesEverything;

  private String reason = "";

  ReportDelivery(StatusEndpoint endpoint, Log log) {
    this.endpoint = endpoint;
    this.log = log;
  }

  /** Never throws what the endpoint throws; {@link #reason} tells why a report was not accepted. */
  Result deliver(Report report, Deadline deadline) {
    try {
      return descend(report, deadline);
    } catch (IOException e) {
      reason = e.getMessage();
      return Result.FAILED;
    }
  }

  /** Why the last report was not accepted, in words for the log. */
  String reason() {
    return reason;
  }

  private Result descend(Report report, Deadline deadline) throws IOException {
    String refusal = "";
    Size first = firstSize();
    for (Size size : Size.values()) {
      if (size.compareTo(first) < 0) {
        continue;
      }
      HttpAnswer answer = postWithFreshToken(size.of(report), deadline);
      if (answer.status() / 100 == 2) {
        remember(size, refusal);
        return Result.ACCEPTED;
      }
      reason = describe(answer);
      refusal = reason;
      if (answer.status() != 413 && answer.status() != 422) {
        return answer.status() == 404 ? Result.NOT_FOUND : Result.FAILED;
      }
    }
    refusesEverything = true;
    return Result.FAILED;
  }

  /** The size that was accepted last, but the full one now and then: its trouble may be over. */
  private Size firstSize() {
    return reportsUntilFull > 0 ? accepted : Size.FULL;
  }

  private void remember(Size size, String refusal) {
    boolean mayHaveRecovered = refusesEverything;
    refusesEverything = false;
    if (size != Size.FULL && mayHaveRecovered && reportsUntilFull == 0) {
      return; // perhaps between the two sizes: the full one is tried again next time
    }
    if (size == Size.FULL) {
      if (accepted != Size.FULL) {
        log.info("the endpoint takes full reports again");
      }
      patience = FIRST_PATIENCE;
    } else if (reportsUntilFull > 0) {
      reportsUntilFull--;
    } else {
      reportsUntilFull = patience;
      patience = Math.min(2 * patience, MAX_PATIENCE);
      if (!toldOfSize) {
        toldOfSize = true;
        log.warn(
            "the endpoint refuses the full report ("
                + refusal
                + "); it gets "
                + (size == Size.ESSENTIAL ? "progress and Waymark's own metrics" : "progress only")
                + " for now");
      }
    }
    accepted = size;
  }

  /**
   * 403 may mean that the token has just been renewed, or that the server can't fetch its keys: the
   * token file is read again (as for each request), and a second answer counts.
   */
  private HttpAnswer postWithFreshToken(byte[] document, Deadline deadline) throws IOException {
    HttpAnswer answer = endpoint.post(document, deadline);
    return answer.status() == 403 ? endpoint.post(document, deadline) : answer;
  }

  private static String describe(HttpAnswer answer) {
    String said = message(answer.excerpt());
    String text = "it answered " + answer.status() + (said.isEmpty() ? "" : " " + said);
    switch (answer.status()) {
      case 403:
        return text + " (it refuses the token, or can't check it just now)";
      case 404:
        return text + " (is the TrainJob gone, or the feature gate TrainJobStatus off?)";
      default:
        return text;
    }
  }

  /** The message of a Kubernetes Status object; of anything else, such as a proxy's page, all. */
  private static String message(String body) {
    Matcher status = STATUS_MESSAGE.matcher(body);
    String text = (status.find() ? status.group(1) : body).strip();
    return text.length() > MAX_MESSAGE ? text.substring(0, MAX_MESSAGE) + "..." : text;
  }
}
