package dev.waymark.reporter;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Decides whether a run is reported, and keeps what reporting needs (a sender with its thread, a
 * shutdown hook) for as long as there is something to report. There is one for each copy of these
 * classes in a JVM.
 *
 * <p>Outside a TrainJob nothing of that exists.
 */
final class Reporter implements ReportSource {
  /**
   * A system property by which the copies of these classes in a JVM, the program's and the agent's,
   * find each other: it is set once a program reports by hand.
   */
  static final String BY_HAND = "dev.waymark.reporter.byhand";

  /** The last address that one of the copies has told the user, who needn't hear it from each. */
  static final String TOLD = "dev.waymark.reporter.told";

  /** With the JVM's own end it stays below the 5 s in which a training must be gone. */
  private static final Duration LAST_WORD_LIMIT = Duration.ofSeconds(3);

  /** A program that trains in turns, as k-fold does, keeps its connection in between. */
  private static final Duration IDLE_LIMIT = Duration.ofSeconds(10);

  private final UnaryOperator<String> settingOf;
  private final Function<Settings, StatusEndpoint> endpoints;
  private final LongSupplier nanoTime;
  private final ReportQueue queue;

  private Settings settings;
  private Log log;
  private int runs;
  private boolean toldNotLeader;
  private boolean toldByHand;
  private List<String> toldProblems = List.of();

  private StatusSender sender;
  private Thread shutdownHook;
  private long idleSince;

  /** The live run that an agent has attached, if it is one. */
  private LiveRun attached;

  private boolean agentAside;

  Reporter(
      UnaryOperator<String> settingOf,
      Function<Settings, StatusEndpoint> endpoints,
      Supplier<Map<String, Long>> accelerators,
      LongSupplier nanoTime,
      Clock clock) {
    this.settingOf = settingOf;
    this.endpoints = endpoints;
    this.nanoTime = nanoTime;
    queue = new ReportQueue(accelerators, clock, text -> log.warn(text));
  }

  /** The one of this copy of the classes. */
  static Reporter shared() {
    return Shared.INSTANCE;
  }

  /**
   * Starts a run that the program reports by hand; an inert one where nothing is to be reported.
   */
  synchronized TrainingRun start() {
    if (!isReporting()) {
      return TrainingRun.inert();
    }
    System.setProperty(BY_HAND, "true");
    yieldToHand();
    return begin(new LiveRun(runs + 1, "a run made by hand", settings, nanoTime), false);
  }

  /** Starts a run on behalf of a program that doesn't report by hand; an inert one if it does. */
  synchronized TrainingRun attach(String trainer) {
    if (agentAside || !isReporting()) {
      return TrainingRun.inert();
    }
    if (isByHand()) {
      tellByHand();
      return TrainingRun.inert();
    }
    String name = trainer == null || trainer.isBlank() ? "a trainer" : trainer;
    return begin(new LiveRun(runs + 1, name, settings, nanoTime), true);
  }

  /** Nothing is reported from now on that an agent has attached, or will attach. */
  synchronized void standAside() {
    agentAside = true;
    if (attached != null) {
      attached.standAside();
      attached = null;
    }
  }

  /** Settings are read until there is reporting; from then on they stay. */
  private boolean isReporting() {
    if (settings == null || !settings.isOn()) {
      settings = Settings.read(settingOf);
      log = new Log(settings.logLevel());
      tellProblems();
    }
    if (!settings.isOn()) {
      return false;
    }
    if (!settings.rank().isLeader() && !toldNotLeader) {
      toldNotLeader = true;
      log.info(
          "this process has rank "
              + settings.rank()
              + ": only the leader of a job, rank 0, reports");
    }
    return settings.rank().isLeader();
  }

  private void tellProblems() {
    List<String> problems = settings.problems();
    if (!problems.isEmpty() && !problems.equals(toldProblems)) {
      log.warn("settings: " + String.join(". ", problems));
      toldProblems = problems;
    }
  }

  private TrainingRun begin(LiveRun run, boolean byAgent) {
    if (!queue.begin(run)) {
      LiveRun other = queue.live();
      log.info(
          run.name()
              + " is not reported: "
              + (other == null ? "another run" : other.name())
              + " is");
      return TrainingRun.inert();
    }
    try {
      openSender();
    } catch (RuntimeException | Error e) {
      run.standAside(); // Nobody would end it, and as long as it lived no other could begin.
      throw e;
    }
    runs++;
    attached = byAgent ? run : null;
    log.debug("run " + runs + ": " + run.name());
    return TrainingRun.of(
        run, new SampleGate(settings.interval(), nanoTime), log, sender::startIfMissing);
  }

  private void openSender() {
    idleSince = nanoTime.getAsLong();
    if (sender != null) {
      return;
    }
    StatusEndpoint endpoint = endpoints.apply(settings);
    sender = new StatusSender(this, endpoint, settings.interval(), log);
    sender.start();
    shutdownHook = DetachedThread.of("waymark-last-word", this::jvmEnds);
    try {
      Runtime.getRuntime().addShutdownHook(shutdownHook);
    } catch (IllegalStateException | SecurityException e) {
      // The JVM is ending already, or allows no hook; the sender does what it can.
      shutdownHook = null;
    }
    String where = endpoint.name() + " every " + settings.interval().toSeconds() + " s";
    if (!where.equals(System.setProperty(TOLD, where))) {
      log.info("training progress is reported to " + where);
    }
  }

  private void jvmEnds() {
    StatusSender open;
    synchronized (this) {
      yieldToHand();
      open = sender;
    }
    LiveRun run = queue.live();
    if (run != null) {
      run.endWithJvm(JvmEnd.isSignalled());
    }
    if (open != null && queue.hasLastWord()) {
      open.flush(LAST_WORD_LIMIT);
    }
  }

  @Override
  public boolean hasLastWord() {
    boolean waiting = queue.hasLastWord();
    synchronized (this) {
      yieldToHand();
      closeIfIdle(waiting || queue.live() != null);
    }
    return waiting;
  }

  @Override
  public Report next() {
    return queue.next();
  }

  @Override
  public boolean hasOlderLastWord() {
    return queue.hasOlderLastWord();
  }

  @Override
  public int dropOlderLastWords() {
    return queue.dropOlderLastWords();
  }

  @Override
  public void hurry() {
    queue.hurry();
  }

  @Override
  public void acknowledged(Report report) {
    queue.acknowledged(report);
  }

  /** The program's own reports, from whichever copy of these classes, go before the agent's. */
  private void yieldToHand() {
    if (attached != null && isByHand()) {
      if (attached.standAside()) {
        tellByHand();
      }
      attached = null;
    }
  }

  private void tellByHand() {
    if (!toldByHand) {
      toldByHand = true;
      log.info("the program reports by hand; the agent stands aside");
    }
  }

  static boolean isByHand() {
    return System.getProperty(BY_HAND) != null;
  }

  /**
   * Nothing of a training that is over stays behind: no thread, no hook, and so no class loader.
   */
  private void closeIfIdle(boolean busy) {
    long now = nanoTime.getAsLong();
    if (busy) {
      idleSince = now;
    } else if (sender != null && now - idleSince >= IDLE_LIMIT.toNanos()) {
      sender.stop();
      sender = null;
      removeShutdownHook();
    }
  }

  private void removeShutdownHook() {
    try {
      if (shutdownHook != null) {
        Runtime.getRuntime().removeShutdownHook(shutdownHook);
      }
    } catch (IllegalStateException | SecurityException e) {
      // The JVM is ending, or keeps the hook; it finds nothing to send.
    }
    shutdownHook = null;
  }

  private static final class Shared {
    private static final Reporter INSTANCE =
        new Reporter(
            Settings::ofThisJvm,
            settings ->
                new HttpsEndpoint(settings.server(), settings.tokenFile(), settings.caFile()),
            Shared::figures,
            System::nanoTime,
            Clock.systemUTC());

    private static Accelerators accelerators;

    /**
     * On the sender's thread. The tools are looked for when the first report is due, not while the
     * program starts.
     */
    private static Map<String, Long> figures() {
      if (accelerators == null) {
        accelerators = Accelerators.onPath(System.getenv("PATH"), INSTANCE.log);
      }
      return accelerators.get();
    }
  }
}
