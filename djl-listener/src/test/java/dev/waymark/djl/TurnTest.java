package dev.waymark.djl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.djl.Turn.Hold;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TurnTest {

  @ParameterizedTest(name = "{0}, last step at {1}, the next one constructed at {2}: over {3}")
  @CsvSource({
    "FIRM, 5, 7, false", // within fit
    "FIRM, 5, 3, false",
    "UNTIL_YOUNGER, 5, 7, true", // k-fold
    "UNTIL_YOUNGER, 5, 3, false", // a GAN
    "LOOSE, 5, 7, true",
    "LOOSE, 5, 3, true", // fit has done all that was planned, or the trainer is closed
  })
  void whenItIsOver(Hold hold, long lastStepAt, long nextConstructedAt, boolean over) {
    assertThat(Turn.yields(hold, lastStepAt, nextConstructedAt)).isEqualTo(over);
  }
}
