package dev.waymark.cli.cluster.dashboard;

import static dev.waymark.cli.cluster.dashboard.Trainings.CREATED;
import static dev.waymark.cli.cluster.dashboard.Trainings.job;
import static dev.waymark.cli.cluster.dashboard.Trainings.reporting;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.client.Listing;
import dev.waymark.client.Skipped;
import dev.waymark.client.TrainingState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BoardTest {

  private final AtomicInteger told = new AtomicInteger();
  private Instant now = CREATED;
  private final Board board = new Board("prod / team-a", () -> now);

  @Test
  void showsWhatWasReadLast() {
    board.subscribe(told::incrementAndGet);
    board.show(
        new Listing<>(
            List.of(job("done", TrainingState.COMPLETE), job("iris", TrainingState.RUNNING)),
            List.of(new Skipped("TrainJob odd", "can't be read: \u001b"))));

    assertThat(board.look().rows().keySet())
        .as("what goes on comes first")
        .containsExactly("team-a/iris", "team-a/done");
    JsonNode head = board.look().head();
    assertThat(head.path("cluster").asText()).isEqualTo("prod / team-a");
    assertThat(head.path("away").isNull()).isTrue();
    assertThat(head.at("/skipped/0").asText()).isEqualTo("TrainJob odd: can't be read: ");
    assertThat(told).hasValue(1);
    assertThat(board.job("team-a/done")).isPresent();
    assertThat(board.detail("team-a/other")).isEmpty();
  }

  @Test
  void whatIsShownStaysWhileTheClusterIsAwayAndSinceWhenIsTold() {
    BoardJob iris = BoardJob.of(reporting("iris", TrainingState.RUNNING, 7));
    board.show(new Listing<>(List.of(iris), List.of()));
    Runnable unsubscribe = board.subscribe(told::incrementAndGet);
    board.away("No answer");
    now = now.plus(Duration.ofMinutes(1));
    board.away("No answer yet");

    assertThat(board.look().head().at("/away/since").asLong()).isEqualTo(CREATED.toEpochMilli());
    assertThat(board.look().head().at("/away/message").asText()).isEqualTo("No answer yet");
    assertThat(board.look().rows()).containsKey("team-a/iris");
    assertThat(told).hasValue(2);

    unsubscribe.run();
    board.show(new Listing<>(List.of(), List.of()));
    assertThat(board.look().head().path("away").isNull()).isTrue();
    assertThat(board.look().rows()).isEmpty();
    assertThat(told).hasValue(2);
  }

  @Test
  void noMoreAreShownThanAnyoneLooksThroughAndTheRestIsCounted() {
    List<BoardJob> many = new ArrayList<>();
    for (int i = 0; i < Board.MAX_JOBS + 7; i++) {
      many.add(job("job-" + i, i < 10 ? TrainingState.COMPLETE : TrainingState.RUNNING));
    }
    board.show(new Listing<>(many, List.of()));

    assertThat(board.look().rows()).hasSize(Board.MAX_JOBS).doesNotContainKey("team-a/job-9");
    assertThat(board.look().head().path("more").asInt()).isEqualTo(7);
  }
}
