package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.Watchable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ChangesTest {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(300);

  private final AtomicReference<String> value = new AtomicReference<>("a");
  private final OneWatch watch = new OneWatch();

  @Test
  void tellsWhatIsThereFirstAndThenWhatDiffers() throws Exception {
    try (Changes<String> changes = new Changes<>(value::get).wokenBy(() -> watch)) {
      assertThat(changes.next(LONG)).isEqualTo("a");
      CompletableFuture<String> next = next(changes, LONG);
      await().until(() -> watch.watcher.get() != null);
      watch.event();
      value.set("b");
      watch.event();
      assertThat(next.join()).isEqualTo("b");
    }
    assertThat(watch.closed).isTrue();
  }

  @Test
  void nothingNewIsNothing() throws Exception {
    try (Changes<String> changes = new Changes<>(value::get).wokenBy(() -> watch)) {
      assertThat(changes.next(Duration.ZERO)).as("it is read once at least").isEqualTo("a");
      assertThat(changes.next(SHORT)).isNull();
    }
  }

  /** kubeflow/sdk#592: a time that was rounded to polls, and over too early. */
  @Test
  void waitsAllOfItsTime() throws Exception {
    try (Changes<String> changes = new Changes<>(value::get).wokenBy(() -> watch)) {
      assertThat(changes.next(LONG)).isEqualTo("a");
      long start = System.nanoTime();
      assertThat(changes.next(SHORT)).isNull();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(SHORT);
    }
  }

  /** Else the API server begins with all that there is, however much. */
  @Test
  void aWatchOfManyBeginsNow() throws Exception {
    try (Changes<String> changes = new Changes<>(value::get).wokenBy(() -> watch, () -> "42")) {
      assertThat(changes.next(LONG)).isEqualTo("a");
      assertThat(changes.next(Duration.ZERO)).isNull();
    }
    assertThat(watch.options.get().getResourceVersion()).isEqualTo("42");
  }

  /** A server that says nothing would hold up each of them in turn. */
  @Test
  void isWatchedOnceItCouldBeRead() throws Exception {
    RuntimeException silent = new TrainerException.Unreachable("silent", null);
    Supplier<String> read =
        () -> {
          throw silent;
        };
    try (Changes<String> changes = new Changes<>(read).wokenBy(() -> watch)) {
      assertThatThrownBy(() -> changes.next(LONG)).isSameAs(silent);
    }
    assertThat(watch.watcher.get()).isNull();
  }

  /** A watch that nobody may open, or that was cut, costs time and nothing else. */
  @Test
  void needsNoWatch() throws Exception {
    Supplier<Watchable<String>> denied =
        () -> {
          throw new IllegalStateException("no right to watch");
        };
    try (Changes<String> changes = new Changes<>(value::get).wokenBy(denied)) {
      assertThat(changes.next(LONG)).isEqualTo("a");
      value.set("b");
      assertThat(changes.next(LONG)).isEqualTo("b");
    }
  }

  @Test
  void opensAWatchAgainThatWasCut() throws Exception {
    try (Changes<String> changes = new Changes<>(value::get).wokenBy(() -> watch)) {
      assertThat(changes.next(LONG)).isEqualTo("a");
      assertThat(changes.next(Duration.ZERO)).isNull();
      Watcher<String> first = watch.watcher.get();
      value.set("b");
      first.onClose(new WatcherException("too old resource version"));
      assertThat(changes.next(LONG)).isEqualTo("b");
      assertThat(watch.watcher.get()).isNotSameAs(first);
    }
  }

  /** As an API server does whose history doesn't reach back so far. */
  @Test
  void opensAWatchAgainThatIsCutWhileItIsOpened() throws Exception {
    AtomicInteger opened = new AtomicInteger();
    OneWatch brief =
        new OneWatch() {
          @Override
          public Watch watch(Watcher<String> watcher) {
            opened.incrementAndGet();
            watcher.onClose(new WatcherException("too old resource version"));
            return super.watch(watcher);
          }
        };
    try (Changes<String> changes = new Changes<>(value::get).wokenBy(() -> brief)) {
      assertThat(changes.next(LONG)).isEqualTo("a");
      CompletableFuture<String> next = next(changes, LONG);
      await().until(() -> opened.get() >= 2);
      value.set("b");
      assertThat(next.join()).isEqualTo("b");
    }
  }

  @Test
  void waitsForAClusterThatIsAwayOnlyWhenItWasThere() throws Exception {
    Deque<RuntimeException> failures = new ArrayDeque<>();
    TrainerException away = new TrainerException.Unreachable("away", null);
    Supplier<String> read =
        () -> {
          if (!failures.isEmpty()) {
            throw failures.remove();
          }
          return value.get();
        };
    try (Changes<String> changes = new Changes<>(read)) {
      failures.add(away);
      assertThatThrownBy(() -> changes.next(LONG)).isSameAs(away);
      assertThat(changes.next(LONG)).isEqualTo("a");
      failures.addAll(List.of(away, away));
      value.set("b");
      assertThat(changes.next(LONG)).isEqualTo("b");
      failures.add(new TrainerException.NotFound("deleted", null));
      assertThatThrownBy(() -> changes.next(LONG)).isInstanceOf(TrainerException.NotFound.class);
    }
  }

  @Test
  void tellsThatTheClusterIsAwayAndThatItIsBack() throws Exception {
    Deque<RuntimeException> failures = new ArrayDeque<>();
    List<TrainerException> told = new CopyOnWriteArrayList<>();
    TrainerException away = new TrainerException.Unreachable("away", null);
    Supplier<String> read =
        () -> {
          if (!failures.isEmpty()) {
            throw failures.remove();
          }
          return value.get();
        };
    try (Changes<String> changes = new Changes<>(read).tellingFailures(told::add)) {
      assertThat(changes.next(LONG)).isEqualTo("a");
      failures.addAll(List.of(away, away));
      assertThat(changes.next(LONG)).as("back, with nothing new").isEqualTo("a");
      assertThat(told).containsExactly(away, away);
      assertThat(changes.next(SHORT)).as("told once").isNull();
    }
  }

  @Test
  void isStoppedFromAnotherThread() throws Exception {
    try (Changes<String> changes = new Changes<>(value::get).wokenBy(() -> watch)) {
      assertThat(changes.next(LONG)).isEqualTo("a");
      CompletableFuture<String> next = next(changes, LONG);
      changes.stop();
      assertThat(next.join()).isNull();
      assertThat(changes.next(LONG)).isNull();
    }
  }

  private static CompletableFuture<String> next(Changes<String> changes, Duration limit) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return changes.next(limit);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** A watch that the test drives. */
  private static class OneWatch implements Watchable<String>, Watch {
    final AtomicReference<Watcher<String>> watcher = new AtomicReference<>();
    final AtomicReference<ListOptions> options = new AtomicReference<>();
    final AtomicBoolean closed = new AtomicBoolean();

    void event() {
      watcher.get().eventReceived(Watcher.Action.MODIFIED, "x");
    }

    @Override
    public Watch watch(Watcher<String> watcher) {
      this.watcher.set(watcher);
      return this;
    }

    @Override
    public Watch watch(ListOptions options, Watcher<String> watcher) {
      this.options.set(options);
      return watch(watcher);
    }

    @Override
    public Watch watch(String resourceVersion, Watcher<String> watcher) {
      return watch(watcher);
    }

    @Override
    public void close() {
      closed.set(true);
    }
  }
}
