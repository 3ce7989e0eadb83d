package dev.waymark.djl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepCountTest {

  @ParameterizedTest(name = "{0} ({1}) is {2} steps")
  @CsvSource({
    "bubububu, EasyTrain.fit, 4",
    "ubububub, a loop that notifies after its step, 4",
    "uuuu, a loop that notifies nothing, 4",
    "bbbb, a listener that never sees the step, 4",
    "bbbbubbbbu, gradients of four batches in one step, 8",
    "b, the first batch, 1",
  })
  void batchesOrUpdatesWhicheverAreMore(String events, String what, int expected) {
    StepCount count = new StepCount();
    long steps =
        events.chars().filter(event -> event == 'b' ? count.batch() : count.update()).count();

    assertThat(steps).as(what).isEqualTo(expected);
  }
}
