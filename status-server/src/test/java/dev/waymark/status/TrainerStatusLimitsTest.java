package dev.waymark.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TrainerStatusLimitsTest {

  private static final Instant TIME = Instant.parse("2026-01-02T03:04:05Z");
  private static final String RULES =
      ", <nil>: Invalid value: null: some validation rules were not checked because the object was"
          + " invalid; correct the existing errors to complete validation]";

  @ParameterizedTest
  @MethodSource
  void accepts(TrainerStatus status) {
    assertThat(TrainerStatusLimits.violation("demo", status)).isEmpty();
  }

  static Stream<TrainerStatus> accepts() {
    return Stream.of(
        new TrainerStatus(null, null, null, TIME),
        new TrainerStatus(0, 0, List.of(), TIME),
        new TrainerStatus(100, Integer.MAX_VALUE, null, TIME),
        withMetrics(Collections.nCopies(256, new Metric("a", "1"))),
        withMetrics(List.of(new Metric("x".repeat(64), "y".repeat(64)))),
        // 64 characters, 128 UTF-16 units, 256 bytes
        withMetrics(List.of(new Metric("\uD83D\uDE00".repeat(64), "\u00e9".repeat(64)))));
  }

  /** Messages with one kind of error are as recorded from a real API server. */
  @ParameterizedTest
  @MethodSource
  void refuses(TrainerStatus status, String errors) {
    assertThat(TrainerStatusLimits.violation("demo", status))
        .contains("TrainJob.trainer.kubeflow.org \"demo\" is invalid: " + errors);
  }

  static Stream<Arguments> refuses() {
    String progress = "status.trainerStatus.progressPercentage: Invalid value: ";
    String remaining = "status.trainerStatus.estimatedRemainingSeconds: Invalid value: ";
    String notNegative =
        "-1: trainerStatus.estimatedRemainingSeconds in body should be greater than or equal to 0";
    String noTime =
        "status.trainerStatus.lastUpdatedTime: Invalid value: \"null\":"
            + " trainerStatus.lastUpdatedTime in body must be of type string: \"null\"";
    return Stream.of(
        arguments(
            new TrainerStatus(101, null, null, TIME),
            progress
                + "101: trainerStatus.progressPercentage in body should be less than or equal to"
                + " 100"),
        arguments(
            new TrainerStatus(-1, null, null, TIME),
            progress
                + "-1: trainerStatus.progressPercentage in body should be greater than or equal to"
                + " 0"),
        arguments(new TrainerStatus(null, -1, null, TIME), remaining + notNegative),
        arguments(
            new TrainerStatus(101, -1, null, TIME),
            "["
                + progress
                + "101: trainerStatus.progressPercentage in body should be less than or equal to"
                + " 100, "
                + remaining
                + notNegative
                + "]"),
        arguments(new TrainerStatus(1, 1, null, null), "[" + noTime + RULES),
        arguments(
            new TrainerStatus(null, -1, null, null),
            "[" + remaining + notNegative + ", " + noTime + RULES),
        arguments(
            withMetrics(Collections.nCopies(257, new Metric("a", "1"))),
            "[status.trainerStatus.metrics: Too many: 257: must have at most 256 items" + RULES),
        arguments(
            withMetrics(List.of(new Metric("a", "1"), new Metric("", "1"))),
            "status.trainerStatus.metrics[1].name: Invalid value: \"\":"
                + " trainerStatus.metrics[1].name in body should be at least 1 chars long"),
        arguments(
            withMetrics(List.of(new Metric("a", null))),
            "status.trainerStatus.metrics[0].value: Invalid value: \"\":"
                + " trainerStatus.metrics[0].value in body should be at least 1 chars long"),
        arguments(
            withMetrics(List.of(new Metric("x".repeat(65), "1"))),
            "[status.trainerStatus.metrics[0].name: Too long: may not be more than 64 bytes"
                + RULES),
        arguments(
            withMetrics(List.of(new Metric("a", "\uD83D\uDE00".repeat(65)))),
            "[status.trainerStatus.metrics[0].value: Too long: may not be more than 64 bytes"
                + RULES));
  }

  private static TrainerStatus withMetrics(List<Metric> metrics) {
    return new TrainerStatus(null, null, metrics, TIME);
  }
}
