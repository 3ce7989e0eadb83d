package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.bytedeco.javacpp.Pointer;

/** Asserts what reporting holds on to: no model, and no memory however long it lasts. */
final class Held {
  static final int ITERATIONS = 100_000;

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

  private static long heapInUse() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
