package dev.waymark.djl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EpochLengthTest {
  private final EpochLength length = new EpochLength();

  @ParameterizedTest(name = "{0} records in batches of {1}: {2} steps")
  @CsvSource({
    "70, 32, 3",
    "64, 32, 2",
    "1, 32, 1",
    "0, 32, 0", // a RawDataset that doesn't know
    "-1, 32, 0",
    "70, 0, 0",
    "9223372036854775807, 1, 9223372036854775807",
  })
  void recordsOverBatchSize(long records, int batchSize, long steps) {
    length.batch(records, batchSize);

    assertThat(length.steps()).isEqualTo(steps);
  }

  @Test
  void lastBatchIsSmaller() {
    trainBatch(70, 32);
    trainBatch(70, 32);
    trainBatch(70, 6);

    assertThat(length.steps()).isEqualTo(3);
  }

  @Test
  void epochThatOutrunsItsTotalIsOfUnknownLength() {
    trainBatch(32, 32);
    assertThat(length.steps()).isEqualTo(1);

    trainBatch(32, 32);
    assertThat(length.steps()).isZero();
  }

  @Test
  void whatWasCountedWinsOverTheTotal() {
    trainBatch(70, 32); // the sampler drops the last, smaller batch
    trainBatch(70, 32);
    length.epochEnded();

    trainBatch(70, 32);
    assertThat(length.steps()).isEqualTo(2);
  }

  @Test
  void epochWithoutStepsTeachesNothing() {
    length.batch(70, 32);
    length.epochEnded();

    assertThat(length.steps()).isEqualTo(3);
  }

  private void trainBatch(long records, int size) {
    length.batch(records, size);
    length.step();
  }
}
