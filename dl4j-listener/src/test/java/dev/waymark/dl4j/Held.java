package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.bytedeco.javacpp.Pointer;

/** Asserts what reporting holds on to: no model, and no memory however long it lasts. */
final class Held {
  static final int ITERATIONS = 100_000;

  /**
   * Iterations that train, which take their time. With {@code -Dtrained.iterations=100000} it is
   * shown for as many as it is promised for.
   */
  static final int TRAINED = Integer.getInteger("trained.iterations", 3_000);

  /** Less than an array for each of the iterations that train. */
  private static final long MOST_GROWTH = 400L * TRAINED;

  private Held() {}

  /**
   * Nothing grows over many iterations, and each makes little garbage.
   *
   * @param mostBytes of garbage; an array or a text an iteration would be more
   */
  static void assertNothingGrows(Runnable iteration, long mostBytes) {
    int warmUp = ITERATIONS / 10;
    repeat(iteration, warmUp);
    long heap = heapInUse();
    long offHeap = Pointer.totalBytes();
    long allocated = allocated();
    repeat(iteration, ITERATIONS - warmUp);
    long perIteration = (allocated() - allocated) / (ITERATIONS - warmUp);

    assertThat(perIteration).as("bytes per iteration").isLessThan(mostBytes);
    assertThat(Pointer.totalBytes() - offHeap).as("bytes off the heap").isLessThanOrEqualTo(0);
    assertThat(heapInUse() - heap).as("bytes on the heap").isLessThan(2 << 20);
  }

  /** Nothing grows on the heap over many iterations that really train. */
  static void assertTrainingKeepsNothing(Runnable iteration) {
    repeat(iteration, TRAINED / 3);
    long heap = settledHeap();
    repeat(iteration, TRAINED - TRAINED / 3);
    assertThat(settledHeap() - heap).as("bytes on the heap").isLessThan(MOST_GROWTH);
  }

  /** What was trained is collected, although that which reports it is still in use. */
  static void assertCollected(List<Supplier<Object>> trainings) {
    List<WeakReference<Object>> trained =
        trainings.stream()
            .map(training -> new WeakReference<>(training.get()))
            .collect(Collectors.toList());
    await()
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(trained).extracting(WeakReference::get).containsOnlyNulls();
            });
    for (Supplier<Object> training : trainings) {
      assertThat(training.get()).isNotNull();
    }
  }

  private static void repeat(Runnable iteration, int times) {
    for (int i = 0; i < times; i++) {
      iteration.run();
    }
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  /** A thread of ND4J's forgets what belonged to an array some time after that is collected. */
  private static long settledHeap() {
    AtomicLong least = new AtomicLong(Long.MAX_VALUE);
    AtomicInteger steady = new AtomicInteger();
    await()
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              long used = heapInUse();
              if (used < least.get() - (32 << 10)) {
                steady.set(0);
              }
              least.accumulateAndGet(used, Math::min);
              return steady.incrementAndGet() == 5;
            });
    return least.get();
  }

  private static long heapInUse() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
