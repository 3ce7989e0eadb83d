package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OfThreadTest {
  private final OfThread<String> values = new OfThread<>();

  @Test
  void eachThreadHasItsOwn() throws Exception {
    assertThat(values.get()).isNull();
    values.set("of the first");
    CompletableFuture.runAsync(
            () -> {
              assertThat(values.get()).isNull();
              values.set("of the second");
              assertThat(values.get()).isEqualTo("of the second");
              assertThat(values.isOfFirst()).isFalse();
              values.set(null);
              assertThat(values.get()).isNull();
            })
        .get();

    assertThat(values.get()).isEqualTo("of the first");
    assertThat(values.isOfFirst()).isTrue();
    values.set(null);
    assertThat(values.get()).isNull();
  }

  @Test
  void thePlaceOfAThreadThatHasEndedIsTheNextOnes() throws Exception {
    Thread ended = new Thread(() -> values.set("of one that has ended"));
    ended.start();
    ended.join();

    assertThat(values.get()).isNull();
    assertThat(values.isOfFirst()).isFalse();
    values.set("of the next");
    assertThat(values.get()).isEqualTo("of the next");
    assertThat(values.isOfFirst()).isTrue();
  }

  @Test
  void aValueStaysWhereItIsWhenThePlaceGetsFree() throws Exception {
    CompletableFuture<Void> otherMayEnd = new CompletableFuture<>();
    CompletableFuture<Void> otherHasPlace = new CompletableFuture<>();
    Thread other =
        new Thread(
            () -> {
              values.set("of the other");
              otherHasPlace.complete(null);
              otherMayEnd.join();
            });
    other.start();
    otherHasPlace.get();
    values.set("first");
    otherMayEnd.complete(null);
    other.join();
    values.set("second");

    assertThat(values.get()).isEqualTo("second");
    assertThat(values.isOfFirst()).isFalse();
  }
}
