package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.trainer.api.TrainJob;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PatchTimesTest {

  private static final Instant NOW = Instant.parse("2026-03-04T05:06:07.890Z");

  /** Times by their year: 2001 is the old TrainJob's, 2002 what the user writes, 2026 is now. */
  @ParameterizedTest(name = "old {0}, user {1}, changed {2}: {3}")
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, true, 2026",
        "-, 2002, true, 2002",
        "2001, -, false, 2001",
        "2001, 2002, false, 2001",
        "2001, -, true, 2026",
        "2001, 2002, true, 2026",
      })
  void stampsWhatChanged(String old, String user, boolean changed, String expected) {
    TrainJob before = old == null ? null : patched("a.example/b", old, "{}");
    TrainJob job = patched("a.example/b", user, changed ? "{template: {}}" : "{}");

    assertThat(PatchTimes.stamp(before, job, NOW))
        .singleElement()
        .satisfies(it -> assertThat(it.time()).startsWith(expected).endsWith("Z"))
        .isEqualTo(
            PatchTimes.withTime(
                job.getSpec().runtimePatches().get(0),
                expected.equals("2026") ? "2026-03-04T05:06:07Z" : expected + "-01-02T03:04:05Z"));
  }

  @Test
  void givesATimeToAPatchThatNeverHadOne() {
    TrainJob job = patched("a.example/b", null, "{}");

    assertThat(PatchTimes.stamp(job, job, NOW))
        .extracting(it -> it.time())
        .containsExactly("2026-03-04T05:06:07Z");
  }

  @Test
  void findsPatchesByTheirManager() {
    TrainJob before = patched("a.example/b", "2001", "{}");

    assertThat(PatchTimes.stamp(before, patched("c.example/d", null, "{}"), NOW))
        .extracting(it -> it.time())
        .containsExactly("2026-03-04T05:06:07Z");
    assertThat(PatchTimes.stamp(before, Yaml.trainJob(""), NOW)).isEmpty();
  }

  private static TrainJob patched(String manager, String year, String patch) {
    String time = year == null ? "" : "\n    time: '" + year + "-01-02T03:04:05Z'";
    return Yaml.trainJob(
        "runtimePatches:\n  - manager: " + manager + time + "\n    trainingRuntimeSpec: " + patch);
  }
}
