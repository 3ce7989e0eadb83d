package dev.waymark.djl;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.TrainingDivergedException;
import ai.djl.training.listener.EarlyStoppingListener.EarlyStoppedException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EndingTest {

  @ParameterizedTest(name = "{0} is {1}")
  @MethodSource("thrown")
  void byWhatWasThrown(Throwable thrown, Ending ending) {
    assertThat(Ending.by(thrown)).isEqualTo(ending);
  }

  static Stream<Arguments> thrown() {
    return Stream.of(
        Arguments.of(new EarlyStoppedException(7, "no better"), Ending.STOPPED_EARLY),
        Arguments.of(new TrainingDivergedException("NaN"), Ending.DIVERGED),
        Arguments.of(new IllegalStateException("gradients"), Ending.FAILED),
        Arguments.of(new OutOfMemoryError(), Ending.FAILED),
        Arguments.of(
            new RuntimeException(new EarlyStoppedException(7, "no better")), Ending.FAILED));
  }
}
