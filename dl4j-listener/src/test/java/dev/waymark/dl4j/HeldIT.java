package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import dev.waymark.reporter.testing.ReceivedReports;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.stream.Stream;
import org.bytedeco.javacpp.Pointer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.linalg.dataset.DataSet;

/** What reporting holds on to: no network, and no memory however long it lasts. */
class HeldIT {
  private static final int ITERATIONS = 100_000;

  /** A hook's call is less; an array or a text per iteration would be more. */
  private static final long MOST_BYTES_PER_ITERATION = 400;

  @BeforeAll
  static void listen() throws Exception {
    ReceivedReports.inThisJvm();
  }

  @FunctionalInterface
  interface Iteration {
    void of(MultiLayerNetwork network, int number);
  }

  static Stream<Arguments> waysToReport() {
    ModelFits fits = new ModelFits();
    ProgressListener listener = ProgressListener.create();
    return Stream.of(
        Arguments.of(
            "hooks of fit(batch)",
            (Iteration)
                (network, number) -> {
                  fits.batchBegan(network);
                  fits.iterationDone(network);
                  fits.ended(network, null);
                }),
        Arguments.of(
            "the listener",
            (Iteration) (network, number) -> listener.iterationDone(network, number, 0)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("waysToReport")
  void nothingGrowsOverManyIterations(String how, Iteration iteration) {
    MultiLayerNetwork network = trained();
    for (int i = 0; i < ITERATIONS / 10; i++) {
      iteration.of(network, i);
    }
    long heap = heapInUse();
    long offHeap = Pointer.totalBytes();
    long allocated = allocated();
    for (int i = 0; i < ITERATIONS; i++) {
      iteration.of(network, i);
    }
    long perIteration = (allocated() - allocated) / ITERATIONS;

    assertThat(perIteration).as("bytes per iteration").isLessThan(MOST_BYTES_PER_ITERATION);
    assertThat(Pointer.totalBytes() - offHeap).as("bytes off the heap").isLessThanOrEqualTo(0);
    assertThat(heapInUse() - heap).as("bytes on the heap").isLessThan(2 << 20);
    assertThat(network.score()).isPositive();
  }

  @Test
  void noNetworkIsKeptAlive() {
    ModelFits fits = new ModelFits();
    ProgressListener listener = ProgressListener.create();
    WeakReference<MultiLayerNetwork> hooked = new WeakReference<>(trainedBy(fits));
    WeakReference<ComputationGraph> listened = new WeakReference<>(trainedWith(listener));

    await()
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(hooked.get()).isNull();
              assertThat(listened.get()).isNull();
            });
    // Both are still in use.
    trainedBy(fits);
    trainedWith(listener);
  }

  private static MultiLayerNetwork trained() {
    MultiLayerNetwork network = Points.network();
    network.fit(Points.batches());
    return network;
  }

  private static MultiLayerNetwork trainedBy(ModelFits fits) {
    MultiLayerNetwork network = Points.network();
    fits.created(network);
    fits.fitBegan(network, Points.batches(), 2);
    for (DataSet example : Points.examples().subList(0, 3)) {
      network.fit(example);
      fits.iterationDone(network);
    }
    fits.ended(network, null);
    return network;
  }

  private static ComputationGraph trainedWith(ProgressListener listener) {
    ComputationGraph graph = Points.graph();
    graph.addListeners(listener);
    graph.fit(Points.batches(), 2);
    return graph;
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
