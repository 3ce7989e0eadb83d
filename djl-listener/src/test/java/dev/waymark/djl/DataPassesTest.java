package dev.waymark.djl;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.training.dataset.Dataset;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataPassesTest {
  /** A capital letter is a data set that is iterated, s a step. */
  @ParameterizedTest(name = "{3}: {0}")
  @CsvSource(
      delimiter = '|',
      value = {
        // a loop                  | passes | evaluations | which
        "A s s                     |      0 |           0 | is in its first pass",
        "A s s A                   |      1 |           0 | begins its second pass",
        "A s A s A s A             |      3 |           0 | only trains",
        "A s V A s V A             |      2 |           2 | evaluates after each pass",
        "A s V W A s V W A         |      2 |           4 | evaluates on two data sets after each pass",
        "A s V                     |      0 |           1 | evaluates for the first time, perhaps in the middle",
        "A s V s V s A s V s A     |      2 |           3 | evaluates in the middle of its passes",
        "A s V s V A               |      1 |           2 | evaluates in the middle and at the end",
        "A s A A s A A             |      2 |           0 | evaluates on its training data after each pass",
        "A s V A A s V A           |      2 |           2 | evaluates on its training data as well",
        "V A s V s A s             |      1 |           1 | evaluates before its first step",
        "A A s A                   |      1 |           0 | looks into its training data before the first step",
        "A s B s C s D             |      0 |           3 | has its training data in another object each time",
        "s s V s V                 |      0 |           0 | reads its training data by itself",
      })
  void followFromWhatALoopIterates(String loop, int passes, int evaluations, String which) {
    DataPasses counted = new DataPasses();
    Map<String, Dataset> data = new HashMap<>();
    int evaluated = 0;
    for (String event : loop.split(" ")) {
      if (event.equals("s")) {
        counted.step();
      } else if (counted.iterates(data.computeIfAbsent(event, name -> new NoData()))) {
        evaluated++;
      }
    }

    assertThat(counted.passes()).as("passes").isEqualTo(passes);
    assertThat(evaluated).as("evaluations").isEqualTo(evaluations);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "A s s,       true",
    "V A s s,     true",
    "A s V,       true",
    "A s V A s,   true",
    "A s V s,     false", // evaluates in the middle of a pass, or its training data is V by now
    "A s B s A s, false",
    "A V,         false",
    "s s,         false",
  })
  void areSureOnlyWhereEachStepFollowsTheTrainingData(String loop, boolean sure) {
    DataPasses counted = new DataPasses();
    Map<String, Dataset> data = new HashMap<>();
    for (String event : loop.split(" ")) {
      if (event.equals("s")) {
        counted.step();
      } else {
        counted.iterates(data.computeIfAbsent(event, name -> new NoData()));
      }
    }

    assertThat(counted.areAllCounted()).isEqualTo(sure);
  }
}
