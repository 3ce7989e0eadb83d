package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FitPlanTest {
  private static final Map<String, FitPlan> PLANS =
      Map.of(
          "five epochs", FitPlan.epochs(5, 6),
          "one epoch", FitPlan.epochs(1, 6),
          "a batch", FitPlan.batch(),
          "early stopping", FitPlan.untilStopped(0, 0),
          "early stopping of 9", FitPlan.untilStopped(9, 0),
          "pretraining", FitPlan.pretraining(1, 2, 0),
          "pretraining of 3", FitPlan.pretraining(3, 2, 0),
          "pretraining of no layer", FitPlan.pretraining(3, 0, 0));

  @ParameterizedTest(name = "{0}, then {1}: {2}")
  @CsvSource({
    "one epoch,      one epoch,      true",
    "a batch,        a batch,        true",
    "one epoch,      a batch,        true",
    "pretraining,    pretraining,    true",
    "one epoch,      five epochs,    false",
    "five epochs,    one epoch,      false",
    "five epochs,    five epochs,    false",
    "pretraining,    one epoch,      false",
    "a batch,        pretraining,    false",
    "early stopping, early stopping, false",
    "early stopping, one epoch,      false",
    "one epoch,      early stopping, false",
  })
  void onlyCallsOfTheSameKindThatPlanNothingAreOneTraining(
      String plan, String next, boolean continued) {
    assertThat(PLANS.get(plan).isContinuedBy(PLANS.get(next))).isEqualTo(continued);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    // plan,                  epochs, open-ended, by counters, trains
    "five epochs,             5,      false,      true,        true",
    "one epoch,               0,      true,       true,        true",
    "a batch,                 0,      true,       true,        true",
    "early stopping,          0,      false,      false,       true",
    "early stopping of 9,     9,      false,      false,       true",
    "pretraining,             0,      true,       false,       true",
    "pretraining of 3,        6,      false,      false,       true",
    "pretraining of no layer, 0,      true,       false,       false",
  })
  void aPlanIsWhatTheCallTells(
      String plan, int epochs, boolean openEnded, boolean byCounters, boolean trains) {
    assertThat(PLANS.get(plan).epochs()).isEqualTo(epochs);
    assertThat(PLANS.get(plan).isOpenEnded()).isEqualTo(openEnded);
    assertThat(PLANS.get(plan).goesByCounters()).isEqualTo(byCounters);
    assertThat(PLANS.get(plan).trains()).isEqualTo(trains);
  }
}
