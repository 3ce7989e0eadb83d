package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressTest {
  private static final int UNKNOWN = -1;

  /** Unknown is -1; "plan 4 100" are four epochs of 100 steps, "ended 1" the end of the first. */
  @ParameterizedTest(name = "{7}: {0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # told                                                        |   % | step |   of | to go | epoch | of | which is
          ''                                                            |  -1 |    0 |    0 |    -1 |     0 |  0 | nothing
          steps 7                                                       |  -1 |    7 |    0 |    -1 |     0 |  0 | steps without a plan
          planSteps 200                                                 |   0 |    0 |  200 |   200 |     0 |  0 | a plan of steps
          planSteps 200; steps 57                                       |  28 |   57 |  200 |   143 |     0 |  0 | steps of a plan, rounded down
          planSteps 100; steps 29                                       |  29 |   29 |  100 |    71 |     0 |  0 | 29 of 100, which floating point takes for 28
          planSteps 10; steps 12                                        |  -1 |   12 |    0 |    -1 |     0 |  0 | more steps than planned: the plan was wrong
          steps 50; planSteps 200                                       |  25 |   50 |  200 |   150 |     0 |  0 | a plan that comes late
          plan 4 100                                                    |   0 |    0 |  400 |   400 |     0 |  4 | a plan of both
          plan 4 100; steps 50                                          |  12 |   50 |  400 |   350 |   0.5 |  4 | inside the first epoch
          plan 4 100; steps 100; ended 1; steps 130                     |  50 |  230 |  430 |   200 |     2 |  4 | an epoch that outruns its plan waits for its end, where ends are told
          plan 4 100; steps 130                                         |  32 |  130 |  400 |   270 |   1.3 |  4 | where no ends are told, epochs follow from the steps
          plan 10 100; steps 999                                        |  99 |  999 | 1000 |     1 |  9.99 | 10 | no ends told, one step before the end
          plan 10 100; steps 1000                                       | 100 | 1000 | 1000 |     0 |    10 | 10 | no ends told, all steps
          plan 2 10; steps 25                                           |  -1 |   25 |    0 |    -1 |   2.5 |  0 | no ends told, more steps than planned: the plan was wrong
          plan 2 10; steps 10; ended 1; steps 10; ended 2               | 100 |   20 |   20 |     0 |     2 |  2 | ends told, all epochs
          plan 2 10; steps 10; ended 1; steps 10; ended 2; steps 1      |  -1 |   21 |    0 |    -1 |   2.1 |  0 | ends told, a step after the last epoch: the plan was wrong
          plan 10 0; planSteps 1005; steps 1002                         |  99 | 1002 | 1005 |     3 |    10 | 10 | no ends told, steps that no length of epochs divides
          plan 4 100; resumedAt 250; steps 75                           |  81 |  325 |  400 |    75 |  3.25 |  4 | no ends told, resumed inside an epoch
          plan 4 100; steps 130; ended 1                                |  25 |  130 |  520 |   390 |     1 |  4 | once an end is told, ends count
          plan 4 100; steps 130; ended 1; steps 65                      |  37 |  195 |  520 |   325 |   1.5 |  4 | the real epoch corrects the plan
          plan 4 0; steps 100; ended 1; steps 120; ended 2              |  50 |  220 |  460 |   240 |     2 |  4 | the newest real epoch counts
          plan 4 0; steps 50                                            |  -1 |   50 |    0 |    -1 |     0 |  4 | epochs without their length, inside the first
          plan 4 0; steps 100; ended 1; steps 50                        |  37 |  150 |  400 |   250 |   1.5 |  4 | the first full epoch tells the length
          plan 3 0; ended 1                                             |  33 |    0 |    0 |    -1 |     1 |  3 | epochs and no steps
          plan 3 100; ended 1                                           |  33 |    0 |  200 |   200 |     1 |  3 | epochs and no steps, although their length is planned
          plan 1 10; steps 10; ended 1; steps 10; ended 2; steps 5      |  -1 |   25 |    0 |    -1 |   2.5 |  0 | more epochs than planned: the plan was wrong
          steps 10; ended 1; steps 10; ended 2                          |  -1 |   20 |    0 |    -1 |     2 |  0 | epochs without a plan
          plan 4 10; steps 10; ended 1; steps 5; ended 1                |  37 |   15 |   40 |    25 |   1.5 |  4 | an epoch told twice
          plan 4 0; steps 200; ended 2                                  |  50 |  200 |  400 |   200 |     2 |  4 | several epochs told at once
          plan 4 0; planSteps 400; steps 50                             |  12 |   50 |  400 |   350 |   0.5 |  4 | steps and epochs planned apart
          plan 4 0; planSteps 400; steps 120; ended 1                   |  25 |  120 |  480 |   360 |     1 |  4 | steps and epochs planned apart, and ends told: epochs count for all
          planSteps 400; steps 120; ended 1                             |  30 |  120 |  400 |   280 |     1 |  0 | steps planned alone, and ends told
          planSteps 200; resumedAt 100; steps 10                        |  55 |  110 |  200 |    90 |     0 |  0 | resumed at a step
          planSteps 200; resumedAt 0                                    |   0 |    0 |  200 |   200 |     0 |  0 | resumed at step 0
          plan 4 100; resumedAt 250                                     |  62 |  250 |  400 |   150 |   2.5 |  4 | resumed at a step, the length of epochs planned
          resumedAt 250; plan 4 100; steps 25                           |  68 |  275 |  400 |   125 |  2.75 |  4 | resumed at a step, the plan told later
          plan 4 100; resumedAt 250; steps 50; ended 3                  |  75 |  300 |  400 |   100 |     3 |  4 | resumed inside an epoch of planned length
          plan 4 0; resumedAt 250; steps 50; ended 3                    |  75 |  300 |  400 |   100 |     3 |  4 | resumed inside an epoch of unknown length
          plan 4 100; resumedAtEpoch 2; steps 10                        |  52 |  210 |  400 |   190 |   2.1 |  4 | resumed at an epoch of planned length
          plan 4 0; resumedAtEpoch 2; steps 10                          |  50 |   10 |    0 |    -1 |     2 |  4 | resumed at an epoch of unknown length
          plan 4 0; resumedAtEpoch 2; steps 100; ended 3                |  75 |  300 |  400 |   100 |     3 |  4 | resumed at an epoch whose length is learned then
          plan 10 4; resumedAtEpoch 6; steps 3; ended 7                 |  70 |   27 |   36 |     9 |     7 | 10 | resumed at an epoch, and epochs are shorter than planned: no step is taken back
          plan 10 4; resumedAtEpoch 6; steps 3; plan 10 3               |  70 |   27 |   36 |     9 |     7 | 10 | resumed at an epoch, and the plan is corrected
          plan 10 4; resumedAtEpoch 6; steps 5; plan 10 0               |  60 |   29 |    0 |    -1 |     6 | 10 | resumed at an epoch, and its length is no longer known
          plan 10 4; resumedAtEpoch 6; plan 10 3; steps 3               |  70 |   21 |   30 |     9 |     7 | 10 | resumed at an epoch, and the plan is corrected before the first step
          plan 10 3; resumedAtEpoch 6; steps 4; ended 7                 |  70 |   28 |   40 |    12 |     7 | 10 | resumed at an epoch, and epochs are longer than planned
          plan 4 0; resumedAtEpoch 2; resumedAt 200; steps 100; ended 3 |  75 |  300 |  400 |   100 |     3 |  4 | resumed at epoch and step
          plan 4 100; resumedAtEpoch 2; resumedAt 777; steps 50         |  62 |  827 |  977 |   150 |   2.5 |  4 | epoch and step of a checkpoint do not fit the plan
          plan 4 100; resumedAtEpoch 2; resumedBetween 250; steps 50    |  62 |  300 |  450 |   150 |   2.5 |  4 | resumed inside an epoch that begins anew
          plan 4 0; resumedAtEpoch 2; resumedBetween 250; steps 100; ended 3 | 75 | 350 | 450 |  100 |     3 |  4 | the same, its length learned then
          plan 4 100; resumedBetween 250; resumedAt 250                 |  62 |  250 |  400 |   150 |   2.5 |  4 | the last word on a resume counts
          plan 4 100; resumedAtEpoch 2; ended 1                         |  50 |  200 |  400 |   200 |     2 |  4 | a resumed run told an epoch that was done before
          plan 4 100; plan 0 -1; planSteps -5                           |  -1 |    0 |    0 |    -1 |     0 |  0 | a plan taken back
          """)
  void followsFromWhatIsTold(
      String told,
      int percent,
      long step,
      long totalSteps,
      long stepsToGo,
      double epoch,
      int epochs,
      String what) {
    Progress progress = new Progress(0);
    tell(progress, told);

    assertThat(progress.percent()).as("percent").isEqualTo(percent);
    assertThat(progress.currentStep()).as("current step").isEqualTo(step);
    assertThat(progress.totalSteps()).as("total steps").isEqualTo(totalSteps);
    assertThat(progress.stepsToGo()).as("steps to go").isEqualTo(stepsToGo);
    assertThat(progress.currentEpoch()).as("current epoch").isEqualTo(epoch);
    assertThat(progress.epochs()).as("epochs").isEqualTo(epochs);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "steps 5                                             | false",
        "plan 4 100; steps 130                               | true",
        "plan 4 100; steps 400                               | false",
        "plan 2 0; steps 5; ended 1                          | true",
        "plan 2 0; steps 5; ended 1; steps 4                 | true",
        "plan 2 0; steps 5; ended 1; steps 5                 | false",
        "plan 2 0; steps 5                                   | false", // ends may go untold
        "plan 2 0; tellsEpochs 1; steps 5                    | true",
        "plan 2 0; tellsEpochs 1; tellsEpochs 0; steps 5     | false",
        "plan 1 0; tellsEpochs 1; steps 5                    | false",
        "tellsEpochs 1; steps 5                              | false",
        "plan 2 0; tellsEpochs 1; steps 5; ended 1; steps 5  | false",
        "plan 10 0; resumedAtEpoch 8; steps 5                | true",
        "plan 10 0; resumedAtEpoch 9                         | true",
        "plan 10 0; resumedAtEpoch 9; steps 5                | false", // perhaps all of them
        "plan 10 7; resumedAtEpoch 9; steps 5                | true",
      })
  void isCutShortIfLessIsDoneForSure(String told, boolean cutShort) {
    Progress progress = new Progress(0);
    tell(progress, told);

    assertThat(progress.isCutShort()).isEqualTo(cutShort);
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
  void epochsFromTheSettingsWinOverPlannedStepsOnceAnEndIsTold() {
    Progress progress = new Progress(5);
    progress.planSteps(1000);
    epoch(progress, 100, 1);

    assertThat(progress.percent()).isEqualTo(20);
    assertThat(progress.totalSteps()).isEqualTo(500);
    assertThat(progress.stepsToGo()).isEqualTo(400);
    for (int epoch = 2; epoch <= 5; epoch++) {
      epoch(progress, 100, epoch);
    }
    assertThat(progress.isPlanDone()).isTrue();
    assertThat(progress.totalSteps()).isEqualTo(500);
    assertThat(progress.stepsToGo()).isZero();
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

  private static void tell(Progress progress, String told) {
    for (String call : told.isEmpty() ? new String[0] : told.split("; ")) {
      String[] words = call.split(" ");
      int number = Integer.parseInt(words[1]);
      switch (words[0]) {
        case "plan" -> progress.plan(number, Long.parseLong(words[2]));
        case "planSteps" -> progress.planSteps(number);
        case "resumedAt" -> progress.resumedAt(number);
        case "resumedBetween" -> progress.resumedBetweenEpochs(number);
        case "resumedAtEpoch" -> progress.resumedAtEpoch(number);
        case "steps" -> steps(progress, number);
        case "ended" -> progress.epochsEnded(number);
        case "tellsEpochs" -> progress.tellsEpochs(number > 0);
        default -> throw new IllegalArgumentException(call);
      }
    }
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
