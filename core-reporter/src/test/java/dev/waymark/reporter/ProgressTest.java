package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ProgressTest {
  private static final int UNKNOWN = -1;

  /**
   * What the program tells, then: percent, current step, total steps, steps to go, epoch, epochs.
   */
  static Stream<Arguments> cases() {
    return Stream.of(
        row("nothing", p -> {}, UNKNOWN, 0, 0, UNKNOWN, 0, 0),
        row("steps without a plan", p -> steps(p, 7), UNKNOWN, 7, 0, UNKNOWN, 0, 0),
        row("a plan of steps", p -> p.planSteps(200), 0, 0, 200, 200, 0, 0),
        row(
            "steps of a plan, rounded down",
            p -> {
              p.planSteps(200);
              steps(p, 57);
            },
            28,
            57,
            200,
            143,
            0,
            0),
        row(
            "29 of 100, which floating point takes for 28",
            p -> {
              p.planSteps(100);
              steps(p, 29);
            },
            29,
            29,
            100,
            71,
            0,
            0),
        row(
            "more steps than planned: the plan was wrong",
            p -> {
              p.planSteps(10);
              steps(p, 12);
            },
            UNKNOWN,
            12,
            0,
            UNKNOWN,
            0,
            0),
        row(
            "a plan that comes late",
            p -> {
              steps(p, 50);
              p.planSteps(200);
            },
            25,
            50,
            200,
            150,
            0,
            0),
        row("a plan of both", p -> p.plan(4, 100), 0, 0, 400, 400, 0, 4),
        row(
            "inside the first epoch",
            p -> {
              p.plan(4, 100);
              steps(p, 50);
            },
            12,
            50,
            400,
            350,
            0.5,
            4),
        row(
            "an epoch that outruns its plan waits for its end, where ends are told",
            p -> {
              p.plan(4, 100);
              epoch(p, 100, 1);
              steps(p, 130);
            },
            50,
            230,
            430,
            200,
            2,
            4),
        row(
            "where no ends are told, epochs follow from the steps",
            p -> {
              p.plan(4, 100);
              steps(p, 130);
            },
            32,
            130,
            400,
            270,
            1.3,
            4),
        row(
            "no ends told, one step before the end",
            p -> {
              p.plan(10, 100);
              steps(p, 999);
            },
            99,
            999,
            1000,
            1,
            9.99,
            10),
        row(
            "no ends told, all steps",
            p -> {
              p.plan(10, 100);
              steps(p, 1000);
            },
            100,
            1000,
            1000,
            0,
            10,
            10),
        row(
            "no ends told, more steps than planned: the plan was wrong",
            p -> {
              p.plan(2, 10);
              steps(p, 25);
            },
            UNKNOWN,
            25,
            0,
            UNKNOWN,
            2.5,
            0),
        row(
            "ends told, all epochs",
            p -> {
              p.plan(2, 10);
              epoch(p, 10, 1);
              epoch(p, 10, 2);
            },
            100,
            20,
            20,
            0,
            2,
            2),
        row(
            "ends told, a step after the last epoch: the plan was wrong",
            p -> {
              p.plan(2, 10);
              epoch(p, 10, 1);
              epoch(p, 10, 2);
              steps(p, 1);
            },
            UNKNOWN,
            21,
            0,
            UNKNOWN,
            2.1,
            0),
        row(
            "no ends told, steps that no epochs' length divides",
            p -> {
              p.plan(10, 0);
              p.planSteps(1005);
              steps(p, 1002);
            },
            99,
            1002,
            1005,
            3,
            10,
            10),
        row(
            "no ends told, resumed inside an epoch",
            p -> {
              p.plan(4, 100);
              p.resumedAt(250);
              steps(p, 75);
            },
            81,
            325,
            400,
            75,
            3.25,
            4),
        row(
            "once an end is told, ends count",
            p -> {
              p.plan(4, 100);
              epoch(p, 130, 1);
            },
            25,
            130,
            520,
            390,
            1,
            4),
        row(
            "the real epoch corrects the plan",
            p -> {
              p.plan(4, 100);
              epoch(p, 130, 1);
              steps(p, 65);
            },
            37,
            195,
            520,
            325,
            1.5,
            4),
        row(
            "the newest real epoch counts",
            p -> {
              p.plan(4, 0);
              epoch(p, 100, 1);
              epoch(p, 120, 2);
            },
            50,
            220,
            460,
            240,
            2,
            4),
        row(
            "epochs without their length, inside the first",
            p -> {
              p.plan(4, 0);
              steps(p, 50);
            },
            UNKNOWN,
            50,
            0,
            UNKNOWN,
            0,
            4),
        row(
            "the first full epoch tells the length",
            p -> {
              p.plan(4, 0);
              epoch(p, 100, 1);
              steps(p, 50);
            },
            37,
            150,
            400,
            250,
            1.5,
            4),
        row(
            "epochs and no steps",
            p -> {
              p.plan(3, 0);
              p.epochsEnded(1);
            },
            33,
            0,
            0,
            UNKNOWN,
            1,
            3),
        row(
            "epochs and no steps, although their length is planned",
            p -> {
              p.plan(3, 100);
              p.epochsEnded(1);
            },
            33,
            0,
            200,
            200,
            1,
            3),
        row(
            "all epochs",
            p -> {
              p.plan(2, 10);
              epoch(p, 10, 1);
              epoch(p, 10, 2);
            },
            100,
            20,
            20,
            0,
            2,
            2),
        row(
            "more epochs than planned: the plan was wrong",
            p -> {
              p.plan(1, 10);
              epoch(p, 10, 1);
              epoch(p, 10, 2);
              steps(p, 5);
            },
            UNKNOWN,
            25,
            0,
            UNKNOWN,
            2.5,
            0),
        row(
            "epochs without a plan",
            p -> {
              epoch(p, 10, 1);
              epoch(p, 10, 2);
            },
            UNKNOWN,
            20,
            0,
            UNKNOWN,
            2,
            0),
        row(
            "an epoch told twice",
            p -> {
              p.plan(4, 10);
              epoch(p, 10, 1);
              steps(p, 5);
              p.epochsEnded(1);
            },
            37,
            15,
            40,
            25,
            1.5,
            4),
        row(
            "several epochs told at once",
            p -> {
              p.plan(4, 0);
              epoch(p, 200, 2);
            },
            50,
            200,
            400,
            200,
            2,
            4),
        row(
            "steps and epochs planned apart",
            p -> {
              p.plan(4, 0);
              p.planSteps(400);
              steps(p, 50);
            },
            12,
            50,
            400,
            350,
            0.5,
            4),
        row(
            "resumed at a step",
            p -> {
              p.planSteps(200);
              p.resumedAt(100);
              steps(p, 10);
            },
            55,
            110,
            200,
            90,
            0,
            0),
        row(
            "resumed at step 0",
            p -> {
              p.planSteps(200);
              p.resumedAt(0);
            },
            0,
            0,
            200,
            200,
            0,
            0),
        row(
            "resumed at a step, with the epochs' length",
            p -> {
              p.plan(4, 100);
              p.resumedAt(250);
            },
            62,
            250,
            400,
            150,
            2.5,
            4),
        row(
            "resumed at a step, the plan told later",
            p -> {
              p.resumedAt(250);
              p.plan(4, 100);
              steps(p, 25);
            },
            68,
            275,
            400,
            125,
            2.75,
            4),
        row(
            "resumed inside an epoch of planned length",
            p -> {
              p.plan(4, 100);
              p.resumedAt(250);
              epoch(p, 50, 3);
            },
            75,
            300,
            400,
            100,
            3,
            4),
        row(
            "resumed inside an epoch of unknown length",
            p -> {
              p.plan(4, 0);
              p.resumedAt(250);
              epoch(p, 50, 3);
            },
            75,
            300,
            400,
            100,
            3,
            4),
        row(
            "resumed at an epoch of planned length",
            p -> {
              p.plan(4, 100);
              p.resumedAtEpoch(2);
              steps(p, 10);
            },
            52,
            210,
            400,
            190,
            2.1,
            4),
        row(
            "resumed at an epoch of unknown length",
            p -> {
              p.plan(4, 0);
              p.resumedAtEpoch(2);
              steps(p, 10);
            },
            50,
            10,
            0,
            UNKNOWN,
            2,
            4),
        row(
            "resumed at an epoch whose length is learned then",
            p -> {
              p.plan(4, 0);
              p.resumedAtEpoch(2);
              epoch(p, 100, 3);
            },
            75,
            300,
            400,
            100,
            3,
            4),
        row(
            "resumed at epoch and step",
            p -> {
              p.plan(4, 0);
              p.resumedAtEpoch(2);
              p.resumedAt(200);
              epoch(p, 100, 3);
            },
            75,
            300,
            400,
            100,
            3,
            4),
        row(
            "epoch and step of a checkpoint that don't fit the plan",
            p -> {
              p.plan(4, 100);
              p.resumedAtEpoch(2);
              p.resumedAt(777);
              steps(p, 50);
            },
            62,
            827,
            977,
            150,
            2.5,
            4),
        row(
            "a resumed run told an epoch that was done before",
            p -> {
              p.plan(4, 100);
              p.resumedAtEpoch(2);
              p.epochsEnded(1);
            },
            50,
            200,
            400,
            200,
            2,
            4),
        row(
            "a plan taken back",
            p -> {
              p.plan(4, 100);
              p.plan(0, -1);
              p.planSteps(-5);
            },
            UNKNOWN,
            0,
            0,
            UNKNOWN,
            0,
            0));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void followsFromWhatIsTold(
      String what,
      Consumer<Progress> told,
      int percent,
      long step,
      long totalSteps,
      long stepsToGo,
      double epoch,
      int epochs) {
    Progress progress = new Progress(0);
    told.accept(progress);

    assertThat(progress.percent()).as("percent").isEqualTo(percent);
    assertThat(progress.currentStep()).as("current step").isEqualTo(step);
    assertThat(progress.totalSteps()).as("total steps").isEqualTo(totalSteps);
    assertThat(progress.stepsToGo()).as("steps to go").isEqualTo(stepsToGo);
    assertThat(progress.currentEpoch()).as("current epoch").isEqualTo(epoch);
    assertThat(progress.epochs()).as("epochs").isEqualTo(epochs);
  }

  @Test
  void takesTheEpochsFromTheSettingsBeforeThoseOfTheProgram() {
    Progress progress = new Progress(10);
    assertThat(progress.percent()).as("before an epoch's end or length is known").isNegative();

    progress.plan(4, 100);
    steps(progress, 100);

    assertThat(progress.epochs()).isEqualTo(10);
    assertThat(progress.percent()).isEqualTo(10);
    assertThat(progress.totalSteps()).isEqualTo(1000);
  }

  @Test
  void epochsFromTheSettingsFollowFromPlannedSteps() {
    Progress progress = new Progress(10);
    progress.planSteps(1000);

    steps(progress, 999);
    assertThat(progress.percent()).isEqualTo(99);
    assertThat(progress.currentEpoch()).isEqualTo(9.99);
    assertThat(progress.totalSteps()).isEqualTo(1000);
    assertThat(progress.isPlanDone()).isFalse();

    steps(progress, 1);
    assertThat(progress.isPlanDone()).isTrue();
  }

  @Test
  void epochsFromTheSettingsAloneGiveAPercentageFromTheFirstEndOn() {
    Progress progress = new Progress(4);
    steps(progress, 50);
    assertThat(progress.percent()).isEqualTo(UNKNOWN);

    assertThat(progress.epochEnded()).isEqualTo(1);

    assertThat(progress.percent()).isEqualTo(25);
  }

  @Test
  void anEndToldAtTheLengthThatWasPlannedIsNewAllTheSame() {
    Progress progress = new Progress(0);
    progress.plan(4, 100);
    steps(progress, 100);
    assertThat(progress.epochsDone()).isEqualTo(1);

    assertThat(progress.epochEnded()).isEqualTo(1);

    assertThat(progress.epochsDone()).isEqualTo(1);
  }

  @Test
  void tellsWhetherThereAreStepsOrEpochsToSpeakOf() {
    Progress progress = new Progress(0);
    assertThat(progress.hasSteps()).isFalse();
    assertThat(progress.hasSessionSteps()).isFalse();
    assertThat(progress.hasEpochs()).isFalse();
    assertThat(progress.hasBegun()).isFalse();

    progress.resumedAt(5);
    assertThat(progress.hasSteps()).isTrue();
    assertThat(progress.hasSessionSteps()).isFalse();

    progress.resumedAtEpoch(0);
    assertThat(progress.hasEpochs()).isTrue();
    assertThat(progress.hasBegun()).isFalse();

    steps(progress, 1);
    assertThat(progress.hasSessionSteps()).isTrue();
    assertThat(progress.hasBegun()).isTrue();
  }

  @Test
  void anEpochWithoutStepsBeginsTheRunToo() {
    Progress progress = new Progress(0);
    assertThat(progress.epochsEnded(1)).isEqualTo(1);
    assertThat(progress.hasBegun()).isTrue();
    assertThat(progress.hasEpochs()).isTrue();
    assertThat(progress.hasSteps()).isFalse();
  }

  @Test
  void tellsHowManyEpochsAreMoreThanBefore() {
    Progress progress = new Progress(0);
    progress.resumedAtEpoch(3);
    assertThat(progress.epochsEnded(3)).isZero();
    assertThat(progress.epochsEnded(5)).isEqualTo(2);
    assertThat(progress.epochsEnded(4)).isZero();
    assertThat(progress.epochsDone()).isEqualTo(5);
  }

  @ParameterizedTest(name = "{0} epochs of {1} steps, {2} steps, resumed at {3}")
  @CsvSource({
    "2147483647, 9223372036854775807, 9223372036854775807, 9223372036854775807",
    "2147483647, 1, 0, 0",
    "1, 9223372036854775807, 0, 9223372036854775807",
    "-2147483648, -9223372036854775808, -9223372036854775808, -9223372036854775808"
  })
  void survivesAbsurdNumbers(int epochs, long stepsPerEpoch, long steps, long resumedAt) {
    Progress progress = new Progress(0);
    progress.plan(epochs, stepsPerEpoch);
    progress.planSteps(steps);
    progress.resumedAt(resumedAt);
    progress.resumedAtEpoch((int) resumedAt);
    epoch(progress, 3, 1);
    epoch(progress, 3, Integer.MAX_VALUE);

    assertThat(progress.percent()).isBetween(UNKNOWN, 100);
    assertThat(progress.currentStep()).isNotNegative();
    assertThat(progress.totalSteps()).isNotNegative();
    assertThat(progress.stepsToGo()).isGreaterThanOrEqualTo(UNKNOWN);
    assertThat(progress.currentEpoch()).isNotNegative();
    assertThat(progress.epochsToGo()).isNotNegative();
  }

  private static Arguments row(String what, Consumer<Progress> told, Object... expected) {
    Object[] all = new Object[expected.length + 2];
    all[0] = what;
    all[1] = told;
    System.arraycopy(expected, 0, all, 2, expected.length);
    return Arguments.of(all);
  }

  private static void steps(Progress progress, int count) {
    for (int i = 0; i < count; i++) {
      progress.stepEnded();
    }
  }

  private static void epoch(Progress progress, int steps, int done) {
    steps(progress, steps);
    progress.epochsEnded(done);
  }
}
