package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportQueueTest {
  private final ManualClock nanoTime = new ManualClock();
  private final WallClock clock = new WallClock();
  private final Map<String, Long> figures = new HashMap<>();
  private final List<String> warnings = new ArrayList<>();
  private int readings;
  private Runnable whileReading = () -> {};
  private int runs;
  private final ReportQueue queue =
      new ReportQueue(
          () -> {
            readings++;
            whileReading.run();
            return Map.copyOf(figures);
          },
          clock,
          warnings::add);

  @Test
  void offersNothingWithoutARun() {
    assertThat(queue.next()).isNull();
    assertThat(queue.hasLastWord()).isFalse();
    assertThat(queue.live()).isNull();
    assertThat(readings).isZero();
  }

  @Test
  @Timeout(30)
  void aHurryCutsTheReadingOfAcceleratorsShort() {
    LiveRun run = begin();
    Thread sender = Thread.currentThread();
    whileReading =
        () -> {
          run.end(RunState.COMPLETED);
          queue.hurry();
          LockSupport.parkNanos(Duration.ofMinutes(10).toNanos());
        };

    Report last = queue.next();

    assertThat(metric(last, "state")).isEqualTo("completed");
    assertThat(sender.isInterrupted()).as("interrupted beyond the reading").isFalse();
    queue.hurry();
    assertThat(sender.isInterrupted()).as("interrupted without a reading").isFalse();
  }

  @Test
  void offersTheNewestState() {
    LiveRun run = begin();
    Report first = queue.next();
    run.step(0.5);
    Report second = queue.next();

    assertThat(metric(first, "state")).isEqualTo("running");
    assertThat(metric(second, "loss")).isEqualTo("0.5");
    assertThat(first.ended()).isFalse();
    assertThat(queue.hasLastWord()).isFalse();
  }

  @Test
  void offersNothingUntilThereIsSomethingNew() {
    LiveRun run = begin();
    queue.acknowledged(queue.next());
    clock.advance(Duration.ofSeconds(60));
    assertThat(queue.next()).isNull();

    run.step();
    Report report = queue.next();
    assertThat(queue.next()).as("until it is acknowledged").isNotNull();
    assertThat(report).isNotNull();

    queue.acknowledged(queue.next());
    figures.put("gpu_0_utilization", 50L);
    assertThat(metric(queue.next(), "gpu_0_utilization")).isEqualTo("50");
  }

  @Test
  void readsTheAcceleratorsOnceAReport() {
    begin();
    queue.next();
    assertThat(readings).isEqualTo(1);
    queue.hasLastWord();
    queue.live();
    assertThat(readings).isEqualTo(1);
  }

  @Test
  void offersALastWordUntilItIsAcknowledgedWithoutReadingTheAccelerators() {
    figures.put("gpu_0_utilization", 50L);
    LiveRun run = begin();
    queue.acknowledged(queue.next());
    run.end(RunState.FAILED);

    assertThat(queue.hasLastWord()).isTrue();
    Report lastWord = queue.next();
    assertThat(lastWord.ended()).isTrue();
    assertThat(metric(lastWord, "state")).isEqualTo("failed");
    assertThat(metric(lastWord, "gpu_0_utilization")).isEqualTo("50");
    assertThat(queue.next()).isSameAs(lastWord);
    assertThat(readings).isEqualTo(1);

    queue.acknowledged(lastWord);
    assertThat(queue.hasLastWord()).isFalse();
    assertThat(queue.next()).isNull();
  }

  @Test
  void offersLastWordsOldestFirstThenTheLiveRun() {
    LiveRun first = begin();
    first.end(RunState.COMPLETED);
    LiveRun second = begin();
    second.end(RunState.DIVERGED);
    begin();

    assertThat(acknowledgeNext()).isEqualTo("1 completed");
    assertThat(acknowledgeNext()).isEqualTo("2 diverged");
    assertThat(queue.hasLastWord()).isFalse();
    assertThat(acknowledgeNext()).isEqualTo("3 running");
  }

  @Test
  void whenTimeIsShortOnlyTheNewestLastWordIsLeft() {
    begin().end(RunState.COMPLETED);
    begin().end(RunState.COMPLETED);
    Report older = queue.next();
    begin().end(RunState.FAILED);

    assertThat(queue.hasOlderLastWord()).isTrue();
    assertThat(queue.dropOlderLastWords()).isEqualTo(2);

    assertThat(queue.hasOlderLastWord()).isFalse();
    assertThat(queue.dropOlderLastWords()).isZero();
    queue.acknowledged(older);
    assertThat(acknowledgeNext()).isEqualTo("3 failed");
    assertThat(queue.hasLastWord()).isFalse();
    assertThat(queue.dropOlderLastWords()).isZero();
  }

  @Test
  void aRunThatHasJustEndedIsTheNewestAtOnce() {
    begin().end(RunState.COMPLETED);
    LiveRun last = begin();
    assertThat(queue.hasOlderLastWord()).isFalse();
    last.end(RunState.FAILED);

    assertThat(queue.hasOlderLastWord()).isTrue();
    assertThat(queue.dropOlderLastWords()).isEqualTo(1);
    assertThat(acknowledgeNext()).isEqualTo("2 failed");
  }

  @Test
  void keeps32LastWordsAndDropsTheOldest() {
    begin().end(RunState.COMPLETED);
    Report dropped = queue.next();
    for (int i = 0; i < 32; i++) {
      begin().end(RunState.COMPLETED);
    }

    assertThat(queue.hasLastWord()).isTrue();
    queue.acknowledged(dropped);
    assertThat(acknowledgeNext()).isEqualTo("2 completed");
    for (int i = 0; i < 31; i++) {
      acknowledgeNext();
    }
    assertThat(queue.hasLastWord()).isFalse();
  }

  @Test
  void tellsOnceHowManyLastWordsItHasGivenUp() {
    for (int run = 0; run < 32 + 3; run++) {
      begin().end(RunState.COMPLETED);
    }
    begin();
    assertThat(warnings).as("while the endpoint is away").isEmpty();

    queue.acknowledged(queue.next());
    queue.acknowledged(queue.next());

    assertThat(warnings)
        .containsExactly(
            "the last status of 3 earlier runs was given up: more than 32 waited for the endpoint");
  }

  @Test
  void countsWhatItHasGivenUpAmongWhatIsDroppedForTheNewest() {
    for (int run = 0; run < 32 + 3; run++) {
      begin().end(RunState.COMPLETED);
    }

    assertThat(queue.dropOlderLastWords()).isEqualTo(3 + 31);
    queue.acknowledged(queue.next());
    assertThat(warnings).isEmpty();
  }

  @Test
  void aLateAcknowledgementOfALiveReportIsNoneOfTheLastWord() {
    LiveRun run = begin();
    Report live = queue.next();
    run.end(RunState.COMPLETED);
    queue.next();
    queue.acknowledged(live);
    assertThat(queue.hasLastWord()).isTrue();
  }

  @Test
  void noticesARunThatEndsWhileTheAcceleratorsAreRead() {
    LiveRun run = begin();
    whileReading = () -> run.end(RunState.STOPPED_EARLY);

    Report report = queue.next();

    assertThat(report.ended()).isTrue();
    assertThat(metric(report, "state")).isEqualTo("stopped_early");
  }

  @Test
  void noticesAPresumedCompletionWhenAskedForLastWords() {
    LiveRun run = begin();
    run.presumeEnd(Duration.ofMinutes(1).toNanos(), false, false);
    assertThat(queue.hasLastWord()).isFalse();
    nanoTime.advanceSeconds(60);
    assertThat(queue.hasLastWord()).isTrue();
    assertThat(metric(queue.next(), "state")).isEqualTo("completed");
  }

  @Test
  void takesOneLiveRunAtATime() {
    LiveRun first = begin();
    LiveRun second = run();

    assertThat(queue.begin(second)).isFalse();
    assertThat(queue.live()).isSameAs(first);

    first.end(RunState.COMPLETED);
    assertThat(queue.begin(second)).isTrue();
    assertThat(queue.live()).isSameAs(second);
  }

  @Test
  void forgetsARunThatStandsAside() {
    LiveRun run = begin();
    run.standAside();
    assertThat(queue.live()).isNull();
    assertThat(queue.hasLastWord()).isFalse();
    assertThat(queue.next()).isNull();
  }

  @Test
  void neverTellsAnEarlierTimeThanBefore() {
    LiveRun run = begin();
    assertThat(time(queue.next())).isEqualTo("2026-11-29T18:00:00Z");
    clock.advance(Duration.ofSeconds(-3600));
    run.step();
    assertThat(time(queue.next())).isEqualTo("2026-11-29T18:00:00Z");
    clock.advance(Duration.ofSeconds(3605));
    run.end(RunState.COMPLETED);
    assertThat(time(queue.next())).isEqualTo("2026-11-29T18:00:05Z");
  }

  /** Besides them a run has its state and its number, and in the end its step. */
  @ParameterizedTest(name = "{0} names of {1} characters: {2} warnings")
  @CsvSource({"253, 12, 0", "254, 12, 1", "257, 12, 1", "100, 64, 0", "250, 64, 1"})
  void warnsOnceThatMetricsAreLeftOut(int names, int characters, int expected) {
    LiveRun run = begin();
    for (int i = 0; i < names; i++) {
      run.metric(i + "\uD83D\uDE80".repeat(characters - 3), i);
    }
    queue.next();
    run.step();
    queue.next();
    run.end(RunState.COMPLETED);
    queue.next();

    assertThat(warnings).hasSize(expected);
    assertThat(warnings)
        .allMatch(
            text ->
                text.equals(
                    "the program reports more metrics than a report holds (256 with Waymark's own,"
                        + " in 60000 bytes); those named last are left out"));
  }

  @Test
  void theLastWordOfAShortRunWarnsOfMetricsLeftOutToo() {
    LiveRun run = begin();
    for (int i = 0; i < 256; i++) {
      run.metric("metric_" + i, i);
    }
    run.end(RunState.COMPLETED);

    queue.next();

    assertThat(warnings).hasSize(1);
  }

  private LiveRun begin() {
    LiveRun run = run();
    assertThat(queue.begin(run)).isTrue();
    return run;
  }

  private LiveRun run() {
    return new LiveRun(++runs, "run " + runs, Settings.read(name -> null), nanoTime);
  }

  private String acknowledgeNext() {
    Report report = queue.next();
    queue.acknowledged(report);
    return metric(report, "run") + " " + metric(report, "state");
  }

  private static String metric(Report report, String name) {
    for (JsonNode metric : status(report).get("metrics")) {
      if (metric.get("name").textValue().equals(name)) {
        return metric.get("value").textValue();
      }
    }
    return null;
  }

  private static String time(Report report) {
    return status(report).get("lastUpdatedTime").textValue();
  }

  private static JsonNode status(Report report) {
    try {
      return new ObjectMapper().readTree(report.full()).get("trainerStatus");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class WallClock extends Clock {
    private Instant now = Instant.parse("2026-11-29T18:00:00Z");

    void advance(Duration time) {
      now = now.plus(time);
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
