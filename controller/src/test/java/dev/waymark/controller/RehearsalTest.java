package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RehearsalTest {

  private final AtomicBoolean done = new AtomicBoolean();
  private final Practised component = new Practised();
  private final Rehearsal rehearsal = new Rehearsal(List.of(component), done);

  @AfterEach
  void end() {
    rehearsal.end();
  }

  @Test
  void beginsWhenAllAreReady() {
    component.problem = "not yet";
    rehearsal.begin();
    await().until(() -> component.asked.get() >= 2);
    assertThat(component.rounds).hasValue(0);

    component.problem = null;

    await().until(() -> component.rounds.get() == Rehearsal.ROUNDS);
  }

  @Test
  void isNotRepeated() throws Exception {
    done.set(true);

    rehearsal.begin();

    rehearsal.join();
    assertThat(component.asked).hasPositiveValue();
    assertThat(component.rounds).hasValue(0);
  }

  @Test
  void endsWithTheController() throws Exception {
    component.duringRound = rehearsal::end;

    rehearsal.begin();

    rehearsal.join();
    assertThat(component.rounds).hasValue(1);
  }

  @Test
  void aComponentThatFailsEndsNothingElse() throws Exception {
    component.duringRound =
        () -> {
          throw new IllegalStateException("defect");
        };

    rehearsal.begin();

    rehearsal.join();
    assertThat(component.rounds).hasValue(1);
    assertThat(component.isClosed).isTrue();
  }

  /** A component that counts. */
  private static final class Practised implements Component, Practice {

    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger rounds = new AtomicInteger();
    private volatile String problem;
    private volatile boolean isClosed;
    private volatile Runnable duringRound = () -> {};

    @Override
    public String name() {
      return "practised";
    }

    @Override
    public void start() {}

    @Override
    public Optional<String> notReady() {
      asked.incrementAndGet();
      return Optional.ofNullable(problem);
    }

    @Override
    public Optional<Practice> practice() {
      return Optional.of(this);
    }

    @Override
    public void round() {
      rounds.incrementAndGet();
      duringRound.run();
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }
}
