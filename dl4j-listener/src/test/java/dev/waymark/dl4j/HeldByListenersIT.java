package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.reporter.testing.ReceivedReports;
import dev.waymark.reporter.testing.Status;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.autodiff.listeners.At;
import org.nd4j.autodiff.listeners.Loss;
import org.nd4j.autodiff.listeners.Operation;
import org.nd4j.autodiff.samediff.SameDiff;

/** What the listeners hold on to that are registered by hand. */
class HeldByListenersIT {
  private static ReceivedReports reports;

  @BeforeAll
  static void listen() throws Exception {
    reports = ReceivedReports.inThisJvm();
  }

  static Stream<Arguments> iterations() {
    return Stream.of(
        Arguments.of("network.fit(batch)", (Supplier<Runnable>) HeldByListenersIT::ofNetwork),
        Arguments.of("SameDiff.fit(batch)", (Supplier<Runnable>) HeldByListenersIT::ofSameDiff));
  }

  private static Runnable ofNetwork() {
    ProgressListener listener = ProgressListener.create();
    MultiLayerNetwork network = Points.network();
    network.fit(Points.batches());
    return () -> listener.iterationDone(network, 0, 0);
  }

  private static Runnable ofSameDiff() {
    SameDiffProgressListener listener = SameDiffProgressListener.create();
    SameDiff instance = Points.sameDiff();
    At at = At.defaultAt(Operation.TRAINING);
    Loss loss = new Loss(instance.getLossVariables(), new double[] {0.5});
    return () -> listener.iterationDone(instance, at, null, loss);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("iterations")
  void nothingGrows(String how, Supplier<Runnable> iterations) {
    Held.assertNothingGrows(iterations.get(), 400);

    // All of it was reported: one that stands aside holds nothing, which would prove nothing.
    assertThat(endsByAnother(1).get(0).number("current_step")).isEqualTo(Held.ITERATIONS);
  }

  @Test
  void noModelIsKeptAlive() {
    ProgressListener ofNetworks = ProgressListener.create();
    SameDiffProgressListener ofInstances = SameDiffProgressListener.create();

    Held.assertCollected(List.of(() -> trainedWith(ofNetworks), () -> trainedWith(ofInstances)));
    // Each but the first of SameDiff, whose listener is as old as that of the first network.
    assertThat(endsByAnother(3))
        .extracting(end -> end.number("current_step"))
        .containsOnly(2.0 * Points.BATCHES);
  }

  private static Object trainedWith(ProgressListener listener) {
    ComputationGraph graph = Points.graph();
    graph.addListeners(listener);
    graph.fit(Points.batches(), 2);
    return graph;
  }

  private static Object trainedWith(SameDiffProgressListener listener) {
    SameDiff instance = Points.sameDiff();
    instance.fit(Points.batches(), 2, listener);
    return instance;
  }

  /** The last words of the runs that are over now, as another model is trained. */
  private static List<Status> endsByAnother(int runs) {
    AnotherModel.trains();
    return reports.lastWords(runs);
  }
}
