package dev.waymark.reporter;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

/** A run whose time a test sets, for the tests of listeners. Nothing is sent of it. */
public final class RunOnAClock {
  private final ManualClock clock = new ManualClock();
  private final LiveRun live;
  private final TrainingRun run;

  public RunOnAClock() {
    this(Map.of());
  }

  /**
   * @param settings as environment variables
   */
  public RunOnAClock(Map<String, String> settings) {
    live = new LiveRun(1, "a run", Settings.read(settings::get), clock);
    run =
        TrainingRun.of(
            live, new SampleGate(Duration.ofSeconds(5), clock), new Log(Log.Level.OFF), () -> {});
  }

  /** Always the same one. */
  public TrainingRun run() {
    return run;
  }

  /** Time goes by; then it is asked whether the run is over, as the sender does once a second. */
  public void pass(Duration time) {
    clock.advance(time);
    live.endIfQuiet();
  }

  /** The percentage that is reported; null if there is none. */
  public Integer percent() {
    int percent = live.snapshot().percent();
    return percent == RunSnapshot.UNKNOWN ? null : percent;
  }

  /** Its state, as it is reported. */
  public String state() {
    return live.snapshot().state().reported();
  }

  /** The value of a metric, as it is reported; null if it isn't there. */
  public String metric(String name) {
    RunSnapshot snapshot = live.snapshot();
    return Stream.concat(snapshot.own().stream(), snapshot.others().stream())
        .filter(metric -> metric.name().equals(name))
        .map(Metric::value)
        .findFirst()
        .orElse(null);
  }
}
