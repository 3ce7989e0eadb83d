package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WarmUpTest {

  /** In its threads, a step that fails would only make what follows slower. */
  @Test
  void noStepFails() {
    List<WarmUp.Step> steps =
        Stream.concat(WarmUp.OF_OBJECTS.stream(), WarmUp.OF_CONNECTIONS.stream()).toList();

    steps.forEach(step -> assertThatCode(step::walk).doesNotThrowAnyException());
  }

  @Test
  void itsThreadsHoldNoProgramUp() {
    TrainerClient.warmUp();

    Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("waymark-warm-up"))
        .forEach(thread -> assertThat(thread.isDaemon()).isTrue());
  }
}
