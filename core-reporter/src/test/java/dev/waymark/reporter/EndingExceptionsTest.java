package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EndingExceptionsTest {
  private final LiveRun run =
      new LiveRun(1, "a run", Settings.read(Map.<String, String>of()::get), new ManualClock());

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("thrown")
  void endTheRunAsTheFrameworkMeansThem(Throwable thrown, RunState state) {
    EndingExceptions.of(List.of("java.time.DateTimeException"), List.of("java.io.IOException"))
        .end(TrainingRun.of(run, null, new Log(Log.Level.OFF), () -> {}), thrown);

    assertThat(run.snapshot().state()).isEqualTo(state);
  }

  static Stream<Arguments> thrown() {
    return Stream.of(
        Arguments.of(new DateTimeException("early"), RunState.STOPPED_EARLY),
        Arguments.of(new DateTimeParseException("of a subclass", "", 0), RunState.STOPPED_EARLY),
        Arguments.of(new IOException("diverged"), RunState.DIVERGED),
        Arguments.of(new IllegalStateException("gradients"), RunState.FAILED),
        Arguments.of(new OutOfMemoryError("a test's"), RunState.FAILED),
        Arguments.of(new UncheckedIOException(new IOException("a cause")), RunState.FAILED));
  }
}
