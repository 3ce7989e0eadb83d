package dev.waymark.reporter;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What is to be reported next: the last words of runs that have ended, oldest first, until each is
 * acknowledged or dropped for the newest, then the run that is live, whenever there is something
 * new to say of it.
 *
 * <p>Runs end by themselves; the queue notices when it is asked, so an end costs the training
 * thread nothing. Safe for any thread; no lock is held while documents are built or accelerators
 * are read.
 */
final class ReportQueue implements ReportSource {
  /** Last words that are kept for a server that is away. The oldest go first. */
  private static final int MOST_LAST_WORDS = 32;

  private final Supplier<Map<String, Long>> accelerators;
  private final Clock clock;
  private final Consumer<String> warnings;

  private final Deque<LiveRun> ended = new ArrayDeque<>();
  private LiveRun live;

  /** Last words that were given up for newer ones, and that nobody has been told of. */
  private int givenUp;

  // What follows is the sender's thread's own.
  private Instant lastTime = Instant.MIN;
  private Map<String, Long> figures = Map.of();
  private boolean toldOfMetrics;
  private StatusDocument offered;
  private StatusDocument acknowledged;

  /** The sender's thread while it reads accelerators; null otherwise. */
  private Thread reading;

  /** The last word that is on offer, and the run it speaks of. */
  private Report lastWord;

  private LiveRun lastWordOf;

  /**
   * @param accelerators reads the accelerators' figures by metric name; called at most once a
   *     report, returns soon if its thread is interrupted
   * @param warnings takes what the user should know
   */
  ReportQueue(Supplier<Map<String, Long>> accelerators, Clock clock, Consumer<String> warnings) {
    this.accelerators = accelerators;
    this.clock = clock;
    this.warnings = warnings;
  }

  /** Makes this the run that is reported. False if there is a live one. */
  synchronized boolean begin(LiveRun run) {
    if (live() != null) {
      return false;
    }
    live = run;
    return true;
  }

  /** The run that is reported at present; null if there is none. */
  synchronized LiveRun live() {
    if (live != null) {
      live.endIfQuiet();
      if (live.hasEnded()) {
        if (ended.size() == MOST_LAST_WORDS) {
          ended.removeFirst();
          givenUp++;
        }
        ended.addLast(live);
        live = null;
      } else if (live.isAside()) {
        live = null;
      }
    }
    return live;
  }

  @Override
  public synchronized boolean hasLastWord() {
    live();
    return !ended.isEmpty();
  }

  @Override
  public synchronized boolean hasOlderLastWord() {
    live();
    return ended.size() > 1;
  }

  @Override
  public synchronized int dropOlderLastWords() {
    live();
    int dropped = givenUp;
    givenUp = 0;
    for (; ended.size() > 1; dropped++) {
      ended.removeFirst();
    }
    return dropped;
  }

  @Override
  public Report next() {
    LiveRun run = live();
    if (hasLastWord()) {
      return lastWord();
    }
    if (run == null) {
      return null;
    }
    readAccelerators(run);
    RunSnapshot snapshot = run.snapshot();
    if (snapshot.state().isEnd()) {
      // It has ended while the accelerators were read.
      return next();
    }
    offered = documentOf(snapshot);
    return offered.saysTheSameAs(acknowledged) ? null : offered.report(false, time());
  }

  private void readAccelerators(LiveRun run) {
    synchronized (this) {
      if (run.hasEnded()) {
        return; // Whoever has ended it may be in a hurry already.
      }
      reading = Thread.currentThread();
    }
    try {
      figures = accelerators.get();
    } finally {
      synchronized (this) {
        reading = null;
        Thread.interrupted(); // Meant for the reading only.
      }
    }
  }

  @Override
  public synchronized void hurry() {
    if (reading != null) {
      reading.interrupt();
    }
  }

  private StatusDocument documentOf(RunSnapshot snapshot) {
    StatusDocument document = new StatusDocument(snapshot, figures);
    if ((snapshot.metricsLeftOut() || document.isCutOff()) && !toldOfMetrics) {
      toldOfMetrics = true;
      warnings.accept(
          "the program reports more metrics than a report holds ("
              + StatusDocument.MOST_METRICS
              + " with Waymark's own, in "
              + StatusDocument.MOST_BYTES
              + " bytes); those named last are left out");
    }
    return document;
  }

  /** The same report until it is acknowledged: what it says and when it was said doesn't change. */
  private Report lastWord() {
    LiveRun run = firstEnded();
    if (lastWordOf != run) {
      lastWordOf = run;
      // Figures of a moment ago will do: at the JVM's end there is no time to read new ones.
      lastWord = documentOf(run.snapshot()).report(true, time());
    }
    return lastWord;
  }

  private synchronized LiveRun firstEnded() {
    return ended.getFirst();
  }

  @Override
  public void acknowledged(Report report) {
    forget(report);
    int lost = givenUpSoFar();
    if (lost > 0) {
      warnings.accept(
          "the last status of "
              + (lost == 1 ? "an earlier run" : lost + " earlier runs")
              + " was given up: more than "
              + MOST_LAST_WORDS
              + " waited for the endpoint");
    }
  }

  private synchronized int givenUpSoFar() {
    int count = givenUp;
    givenUp = 0;
    return count;
  }

  private synchronized void forget(Report report) {
    if (report.ended()) {
      if (report == lastWord && ended.peekFirst() == lastWordOf) {
        ended.removeFirst();
        lastWord = null;
        lastWordOf = null;
      }
    } else {
      acknowledged = offered;
    }
  }

  /** Never earlier than in a report before, even if somebody sets the clock. */
  private Instant time() {
    Instant now = clock.instant();
    lastTime = now.isAfter(lastTime) ? now : lastTime;
    return lastTime;
  }
}
