package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.reporter.testing.ReceivedReports;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
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
import org.nd4j.autodiff.samediff.TrainingConfig;
import org.nd4j.autodiff.samediff.internal.TrainingSession;
import org.nd4j.linalg.dataset.DataSet;

/** What the reporting by hooks holds on to. */
class HeldByHooksIT {
  private static ReceivedReports reports;

  @BeforeAll
  static void listen() throws Exception {
    reports = ReceivedReports.inThisJvm();
  }

  static Stream<Arguments> iterations() {
    return Stream.of(
        Arguments.of("network.fit(batch)", (Supplier<Runnable>) HeldByHooksIT::ofNetwork, 400L),
        Arguments.of("SameDiff.fit(batch)", (Supplier<Runnable>) HeldByHooksIT::ofSameDiff, 600L));
  }

  private static Runnable ofNetwork() {
    ModelFits fits = new ModelFits();
    MultiLayerNetwork network = Points.network();
    network.fit(Points.batches());
    return () -> {
      fits.batchBegan(network);
      fits.iterationDone(network);
      fits.ended(network, null);
    };
  }

  private static Runnable ofSameDiff() {
    SameDiffFits fits = new SameDiffFits();
    SameDiff instance = Points.sameDiff();
    instance.fit(Points.batches(), 1);
    TrainingConfig config = instance.getTrainingConfig();
    TrainingSession session = new TrainingSession(instance.getFunction("grad"));
    List<String> losses = instance.getLossVariables();
    Map<String, String> placeholders = Map.of("points", "some", "kinds", "some");
    List<String> outputs = new ArrayList<>();
    Set<String> required = new HashSet<>();
    At at = At.defaultAt(Operation.TRAINING);
    Loss loss = new Loss(losses, new double[1]);
    return () -> {
      fits.fitBegan(instance, null, 1, false, null, 1);
      fits.iterationBegan(session, placeholders, losses);
      outputs.clear();
      fits.outputBegan(session, outputs, required);
      fits.outputEnded(session, null);
      fits.iterationEnded(config, at, loss, null);
      fits.fitEnded(instance, null);
    };
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("iterations")
  void nothingGrows(String how, Supplier<Runnable> iterations, long mostBytes) {
    Held.assertNothingGrows(iterations.get(), mostBytes);

    // All of it was reported: one that stands aside holds nothing, which would prove nothing.
    AnotherModel.trains();
    assertThat(reports.lastWords(2).get(0).number("current_step"))
        .isEqualTo(Held.ITERATIONS + Points.BATCHES);
  }

  @Test
  void noModelIsKeptAlive() {
    ModelFits networks = new ModelFits();
    SameDiffFits instances = new SameDiffFits();

    Held.assertCollected(
        List.of(
            () -> networkTrainedBy(networks),
            () -> sameDiffTrainedBy(instances),
            () -> networkTrainedByBatches(networks)));
    AnotherModel.trains();
    assertThat(reports.lastWords(7))
        .extracting(end -> end.state())
        .containsExactly(
            "stopped_early",
            "stopped_early",
            "completed",
            "stopped_early",
            "stopped_early",
            "completed",
            "stopped_early");
  }

  private static Object networkTrainedBy(ModelFits fits) {
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

  private static Object networkTrainedByBatches(ModelFits fits) {
    MultiLayerNetwork network = Points.network();
    fits.created(network);
    for (DataSet example : Points.examples()) {
      fits.batchBegan(network);
      fits.iterationDone(network);
      fits.ended(network, null);
      network.fit(example);
    }
    return network;
  }

  private static Object sameDiffTrainedBy(SameDiffFits fits) {
    SameDiff instance = Points.sameDiff();
    fits.created(instance);
    fits.fitBegan(instance, Points.batches(), 2, true, null, 1);
    instance.fit(Points.batches(), 1);
    TrainingSession session = new TrainingSession(instance.getFunction("grad"));
    fits.iterationBegan(session, Map.of(), instance.getLossVariables());
    fits.iterationEnded(
        instance.getTrainingConfig(),
        At.defaultAt(Operation.TRAINING),
        new Loss(instance.getLossVariables(), new double[1]),
        null);
    fits.fitEnded(instance, null);
    return instance;
  }
}
