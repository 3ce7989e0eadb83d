package dev.waymark.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunStateTest {

  @ParameterizedTest(name = "{0}, says {1} at {2}: {3}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          # process  | word          | percent | state
          alive      | running       | 42      | RUNNING
          alive      | evaluating    | 42      | EVALUATING
          alive      | resuming      | 0       | RUNNING
          alive      | -             | 100     | RUNNING
          alive      | completed     | 100     | COMPLETED
          alive      | stopped_early | 30      | STOPPED_EARLY
          alive      | diverged      | 30      | DIVERGED
          0          | completed     | 100     | COMPLETED
          1          | completed     | 100     | COMPLETED
          1          | failed        | 30      | FAILED
          143        | interrupted   | 30      | INTERRUPTED
          0          | -             | 100     | COMPLETED
          0          | -             | 99      | ENDED
          0          | running       | 30      | ENDED
          0          | running       | -       | ENDED
          1          | running       | 30      | FAILED
          137        | running       | 30      | FAILED
          130        | running       | 30      | INTERRUPTED
          143        | evaluating    | 30      | INTERRUPTED
          next run   | running       | 30      | ENDED
          next run   | completed     | 100     | COMPLETED
          gone       | running       | 30      | LOST
          gone       | failed        | 30      | FAILED
          """)
  void aReportedRunIsWhatItSaidElseWhatBecameOfItsProcess(
      String process, String word, Integer percent, RunState expected) {
    assertThat(RunState.of(true, word, percent, fate(process))).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"alive,WAITING", "0,ENDED", "1,FAILED", "143,INTERRUPTED", "gone,LOST"})
  void aRunWithoutReportIsWhatBecameOfItsProcess(String process, RunState expected) {
    assertThat(RunState.of(false, null, null, fate(process))).isEqualTo(expected);
  }

  private static Fate fate(String process) {
    return switch (process) {
      case "alive" -> Fate.ALIVE;
      case "next run" -> Fate.NEXT_RUN_BEGAN;
      case "gone" -> Fate.RECORDER_GONE;
      default -> Fate.exited(Integer.parseInt(process), Reports.START);
    };
  }
}
