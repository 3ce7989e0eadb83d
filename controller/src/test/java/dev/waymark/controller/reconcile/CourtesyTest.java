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
  private final Courtesy courtesy = new Courtesy(now::get);
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
    now.addAndGet(Duration.ofMillis(49).toNanos());
    List<CompletableFuture<Void>> writes = write(3);

    await().until(() -> atOnce.get() == 1);
    gate.complete(null);
    writes.forEach(CompletableFuture::join);
    assertThat(mostAtOnce).hasValue(1);
  }

  @Test
  void usersWhoPauseAreWaitedForNoMore() {
    courtesy.userAsks();
    now.addAndGet(Duration.ofMillis(50).toNanos());
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

    now.addAndGet(Duration.ofMillis(50).toNanos());

    await().until(() -> atOnce.get() == 3);
    gate.complete(null);
    writes.forEach(CompletableFuture::join);
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
