package dev.waymark.controller.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CourtesyTest {

  private static final ResourceID FIRST = new ResourceID("first", "team-a");
  private static final ResourceID SECOND = new ResourceID("second", "team-a");

  /**
   * A timer that was set.
   *
   * @param time from when it was set
   */
  private record Timer(Duration time, CompletableFuture<Void> over) {}

  private final AtomicLong now = new AtomicLong();
  private final Deque<Timer> timers = new ArrayDeque<>();
  private final List<ResourceID> begun = new ArrayList<>();
  private final Courtesy courtesy = new Courtesy(begun::add, now::get, this::timer);
  private final CompletableFuture<Void> gate = new CompletableFuture<>();
  private final AtomicInteger atOnce = new AtomicInteger();
  private final AtomicInteger mostAtOnce = new AtomicInteger();

  @Test
  void writesGoSideBySideWhileNoUserAsks() {
    List<CompletableFuture<Void>> writes = write(3);

    await().until(() -> atOnce.get() == 3);
    gate.complete(null);
    writes.forEach(CompletableFuture::join);
  }

  @Test
  void writesGoOneByOneWhileUsersAsk() {
    courtesy.userAsks();
    now.addAndGet(Duration.ofMillis(99).toNanos());
    List<CompletableFuture<Void>> writes = write(3);

    await().until(() -> atOnce.get() == 1);
    gate.complete(null);
    writes.forEach(CompletableFuture::join);
    assertThat(mostAtOnce).hasValue(1);
  }

  @Test
  void usersWhoPauseAreWaitedForNoMore() {
    courtesy.userAsks();
    now.addAndGet(Duration.ofMillis(100).toNanos());
    List<CompletableFuture<Void>> writes = write(2);

    await().until(() -> atOnce.get() == 2);
    gate.complete(null);
    writes.forEach(CompletableFuture::join);
  }

  @Test
  void writesThatWaitGoSideBySideOnceUsersPause() {
    courtesy.userAsks();
    List<CompletableFuture<Void>> writes = write(3);
    await().until(() -> atOnce.get() == 1);

    now.addAndGet(Duration.ofMillis(100).toNanos());

    await().until(() -> atOnce.get() == 3);
    gate.complete(null);
    writes.forEach(CompletableFuture::join);
  }

  @Test
  void aFewNewTrainJobsAreBegunWithAtOnce() {
    usersAsk(8, Duration.ZERO);

    assertThat(courtesy.mustWait(FIRST)).isFalse();
    assertThat(timers).isEmpty();
  }

  @Test
  void ofManyNoMoreAreBegunWithUntilUsersPause() {
    usersAsk(9, Duration.ofMillis(30));
    assertThat(courtesy.mustWait(FIRST)).isTrue();
    assertThat(courtesy.mustWait(SECOND)).isTrue();
    assertThat(timers).extracting(Timer::time).containsExactly(Duration.ofMillis(70));
    courtesy.userAsks();

    nextTimerGoesOff();
    assertThat(begun).isEmpty();
    assertThat(timers).extracting(Timer::time).containsExactly(Duration.ofMillis(30));

    nextTimerGoesOff();
    assertThat(begun).containsExactly(FIRST, SECOND);
    assertThat(courtesy.mustWait(FIRST)).isFalse();
    assertThat(timers).isEmpty();
  }

  /** As when it is changed meanwhile. */
  @Test
  void oneThatWaitsIsBegunWithOnce() {
    usersAsk(9, Duration.ofMillis(30));
    courtesy.mustWait(FIRST);
    courtesy.mustWait(FIRST);

    nextTimerGoesOff();

    assertThat(begun).containsExactly(FIRST);
  }

  @Test
  void nobodyWaitsForMoreThanThreeSeconds() {
    usersAsk(9, Duration.ofMillis(50));
    courtesy.mustWait(FIRST);
    usersAsk(51, Duration.ofMillis(50));

    assertThat(courtesy.mustWait(SECOND)).isFalse();
    timers.remove().over().complete(null);
    assertThat(begun).containsExactly(FIRST);
  }

  @Test
  void aPauseEndsTheRow() {
    usersAsk(60, Duration.ofMillis(50));
    now.addAndGet(Duration.ofMillis(100).toNanos());
    usersAsk(8, Duration.ZERO);

    assertThat(courtesy.mustWait(FIRST)).isFalse();
  }

  @Test
  void aWriteThatFailsLetsTheNextOneThrough() {
    courtesy.userAsks();

    assertThatThrownBy(
            () ->
                courtesy.write(
                    () -> {
                      throw new IllegalStateException("refused");
                    }))
        .hasMessage("refused");
    assertThat(courtesy.write(() -> 7)).isEqualTo(7);
  }

  @Test
  void aThreadThatIsToEndWaitsForNoTurn() {
    courtesy.userAsks();
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> courtesy.write(() -> 7)).isInstanceOf(CompletionException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  private CompletableFuture<Void> timer(Duration time) {
    Timer timer = new Timer(time, new CompletableFuture<>());
    timers.add(timer);
    return timer.over();
  }

  private void nextTimerGoesOff() {
    Timer next = timers.remove();
    now.addAndGet(next.time().toNanos());
    next.over().complete(null);
  }

  /** Users who ask one after the other, each some time before the next. */
  private void usersAsk(int times, Duration apart) {
    for (int i = 0; i < times; i++) {
      courtesy.userAsks();
      now.addAndGet(apart.toNanos());
    }
  }

  /** Writes that begin when they may, and wait at the gate. */
  private List<CompletableFuture<Void>> write(int count) {
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      CompletableFuture<Void> write = new CompletableFuture<>();
      Thread thread = new Thread(() -> write.complete(courtesy.write(this::atTheGate)));
      thread.setDaemon(true);
      thread.start();
      writes.add(write);
    }
    return writes;
  }

  private Void atTheGate() {
    mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
    gate.join();
    atOnce.decrementAndGet();
    return null;
  }
}
