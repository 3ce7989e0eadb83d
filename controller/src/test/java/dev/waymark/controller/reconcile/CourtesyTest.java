package dev.waymark.controller.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CourtesyTest {

  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger looks = new AtomicInteger();
  private final Courtesy courtesy = new Courtesy(this::nanoTime);
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

    assertThat(courtesy.awaitBeginning()).isFalse();
  }

  @Test
  void ofManyNoMoreAreBegunWithUntilUsersPause() {
    usersAsk(9, Duration.ofMillis(99));
    int before = looks.get();
    CompletableFuture<Boolean> beginning = CompletableFuture.supplyAsync(courtesy::awaitBeginning);

    await().until(() -> looks.get() >= before + 10);
    assertThat(beginning).isNotDone();
    now.addAndGet(Duration.ofMillis(1).toNanos());
    assertThat(beginning.join()).isTrue();
  }

  @Test
  void nobodyWaitsForMoreThanThreeSeconds() {
    usersAsk(60, Duration.ofMillis(50));

    assertThat(courtesy.awaitBeginning()).isFalse();
  }

  @Test
  void aPauseEndsTheRow() {
    usersAsk(60, Duration.ofMillis(50));
    now.addAndGet(Duration.ofMillis(100).toNanos());
    usersAsk(8, Duration.ZERO);

    assertThat(courtesy.awaitBeginning()).isFalse();
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

  @Test
  void aThreadThatIsToEndBeginsWithNothing() {
    usersAsk(9, Duration.ZERO);
    Thread.currentThread().interrupt();

    assertThatThrownBy(courtesy::awaitBeginning).isInstanceOf(CompletionException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  private long nanoTime() {
    looks.incrementAndGet();
    return now.get();
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
