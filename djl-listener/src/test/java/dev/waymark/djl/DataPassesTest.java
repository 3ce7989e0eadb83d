package dev.waymark.djl;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.training.dataset.Dataset;
import org.junit.jupiter.api.Test;

class DataPassesTest {
  private final DataPasses passes = new DataPasses();
  private final Dataset training = new NoData();
  private final Dataset validation = new NoData();

  @Test
  void passIsOverWhenTheDataIsIteratedAgain() {
    assertThat(passes.iterates(training)).isFalse();
    passes.step();
    passes.step();
    assertThat(passes.passes()).isZero();

    assertThat(passes.iterates(training)).isFalse();
    assertThat(passes.passes()).isEqualTo(1);
    passes.step();
    passes.iterates(training);
    assertThat(passes.passes()).isEqualTo(2);
  }

  @Test
  void passIsOverWhenOtherDataIsEvaluated() {
    passes.iterates(training);
    passes.step();

    assertThat(passes.iterates(validation)).isTrue();
    assertThat(passes.passes()).isEqualTo(1);
    passes.iterates(training);
    assertThat(passes.passes()).isEqualTo(1);
  }

  @Test
  void evaluationBeforeTheFirstStepIsNoPass() {
    assertThat(passes.iterates(validation)).isFalse();
    assertThat(passes.iterates(training)).isFalse();
    passes.step();

    assertThat(passes.passes()).isZero();
    assertThat(passes.iterates(validation)).isTrue();
  }

  @Test
  void loopThatReadsItsDataByItselfHasNoPasses() {
    passes.step();
    passes.step();
    passes.iterates(validation);

    assertThat(passes.passes()).isZero();
  }
}
