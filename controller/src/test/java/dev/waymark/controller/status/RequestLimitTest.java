package dev.waymark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.controller.kubernetes.TokenBucket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One request is let through at once, all others when the test says that a token is due. */
class RequestLimitTest {

  private final ManualTimer timer = new ManualTimer();
  private final RequestLimit limit = new RequestLimit(new TokenBucket(0.001, 1), timer);
  private final List<String> through = new ArrayList<>();

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void letsThroughAtOnceWhatTheLimitHasRoomFor() {
    assertThat(limit.lineUp(false).come()).isCompleted();
    assertThat(limit.tryTake()).isFalse();
    assertThat(limit.lineUp(true).come()).isNotDone();
  }

  @Test
  void letsThoseInAHurryThroughFirstAndElseKeepsTheOrder() {
    limit.lineUp(false);
    lineUp("first", false);
    lineUp("second", false);
    lineUp("a last word", true);
    lineUp("another last word", true);

    for (int token = 0; token < 4; token++) {
      timer.next();
    }
    assertThat(through).containsExactly("a last word", "another last word", "first", "second");
  }

  @Test
  void letsWhoGetsInAHurryOvertake() {
    limit.lineUp(false);
    lineUp("first", false);
    RequestLimit.Turn second = lineUp("second", false);
    second.hurry();

    timer.next();
    second.hurry();
    timer.next();
    assertThat(through).containsExactly("second", "first");
  }

  @Test
  void spendsOneTokenForEachOneInLine() {
    limit.lineUp(false);
    lineUp("first", false);
    lineUp("a last word", true);
    timer.next();

    assertThat(through).containsExactly("a last word");
  }

  @Test
  void refusesWhoComesWhenTheTimerHasEnded() {
    ScheduledExecutorService ended = Executors.newSingleThreadScheduledExecutor();
    ended.shutdownNow();
    RequestLimit late = new RequestLimit(new TokenBucket(0.001, 1), ended);
    late.lineUp(false);

    assertThat(late.lineUp(true).come()).isCompletedExceptionally();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the list tells
  private RequestLimit.Turn lineUp(String who, boolean hurried) {
    RequestLimit.Turn turn = limit.lineUp(hurried);
    turn.come().thenRun(() -> through.add(who));
    return turn;
  }
}
