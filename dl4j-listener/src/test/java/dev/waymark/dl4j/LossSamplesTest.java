package dev.waymark.dl4j;

import static dev.waymark.dl4j.LossSamples.LEAST_NANOS_BETWEEN;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LossSamplesTest {
  private long now = Long.MAX_VALUE - 1; // nanoTime may overflow at any time

  private final LossSamples samples = new LossSamples(() -> now);

  @Test
  void theFirstIsDueAndTheNextAfterAWhile() {
    assertThat(samples.isDue(false)).isTrue();
    assertThat(samples.isDue(false)).isFalse();
    now += LEAST_NANOS_BETWEEN - 1;
    assertThat(samples.isDue(false)).isFalse();
    now++;
    assertThat(samples.isDue(false)).isTrue();
  }

  @Test
  void theLastIsDueAtAnyTime() {
    assertThat(samples.isDue(false)).isTrue();
    assertThat(samples.isDue(true)).isTrue();
    now += LEAST_NANOS_BETWEEN - 1;
    assertThat(samples.isDue(false)).isFalse();
  }
}
