package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

class ListenedTrainingsTest {
  private static final ListenedTrainings<Object> TRAININGS = newTrainings();

  private static ListenedTrainings<Object> newTrainings() {
    return new ListenedTrainings<>(() -> new ListenedTraining(0, 0));
  }

  @Test
  void eachModelHasItsOwnTraining() {
    ListenedTraining one = TRAININGS.of("one");

    assertThat(TRAININGS.of("one")).isSameAs(one);
    assertThat(TRAININGS.of("another")).isNotSameAs(one);
    assertThat(TRAININGS.known("one")).isSameAs(one);
    assertThat(TRAININGS.known("a third")).isNull();
  }

  @Test
  void whatHasJoinedATrainingStaysThere() {
    ListenedTraining whole = TRAININGS.of("a whole");

    assertThat(TRAININGS.join("a part", whole)).isSameAs(whole);
    assertThat(TRAININGS.of("a part")).isSameAs(whole);
    assertThat(TRAININGS.join("a part", TRAININGS.of("another whole"))).isSameAs(whole);
  }

  @Test
  void whoeverIsFirstOfSeveralThreadsTheTrainingIsOne() throws Exception {
    for (int i = 0; i < 100; i++) {
      ListenedTrainings<Object> trainings = newTrainings();
      CyclicBarrier together = new CyclicBarrier(2);
      CompletableFuture<ListenedTraining> other =
          CompletableFuture.supplyAsync(() -> of("a model", trainings, together));
      assertThat(of("a model", trainings, together)).isSameAs(other.get());
    }
  }

  private static ListenedTraining of(
      Object model, ListenedTrainings<Object> trainings, CyclicBarrier together) {
    try {
      together.await();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    return trainings.of(model);
  }
}
