package dev.waymark.benchmarks;

import dev.waymark.dl4j.ProgressListener;
import dev.waymark.dl4j.SameDiffFits;
import dev.waymark.dl4j.SameDiffProgressListener;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.autodiff.listeners.At;
import org.nd4j.autodiff.listeners.Loss;
import org.nd4j.autodiff.listeners.Operation;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.TrainingConfig;
import org.nd4j.autodiff.samediff.internal.TrainingSession;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Sgd;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What a Deeplearning4j training pays an iteration for the listener that is registered by hand, and
 * what SameDiff pays for all that the agent's hooks call in one, the hooks themselves apart.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Dl4jListenerBenchmark {

  /** A network in the midst of an epoch. */
  @State(Scope.Benchmark)
  public static class Epoch {
    private final MultiLayerNetwork network = SmallestDl4j.network();
    private final ProgressListener listener = ProgressListener.builder().totalEpochs(2).build();
    private int iteration;

    @Setup
    public void begin() {
      listener.onEpochStart(network);
    }
  }

  /** A network that is trained batch by batch. */
  @State(Scope.Benchmark)
  public static class Batches {
    private final MultiLayerNetwork network = SmallestDl4j.network();
    private final ProgressListener listener = ProgressListener.create();
    private int iteration;
  }

  /** A small SameDiff instance, whose loss is one that is pruned. */
  @State(Scope.Benchmark)
  public static class Instance {
    private final SameDiff sameDiff = SameDiff.create();
    private final At at = At.defaultAt(Operation.TRAINING);
    private Loss loss;

    @Setup
    public void create() {
      SDVariable labels = sameDiff.placeHolder("labels", DataType.FLOAT, -1, 2);
      SDVariable features = sameDiff.placeHolder("features", DataType.FLOAT, -1, 2);
      SDVariable weight = sameDiff.var("weight", Nd4j.ones(DataType.FLOAT, 2, 2));
      sameDiff.loss.softmaxCrossEntropy("loss", labels, features.mmul("scores", weight), null);
      sameDiff.setLossVariables("loss");
      sameDiff.setTrainingConfig(
          new TrainingConfig.Builder()
              .updater(new Sgd(1e-9))
              .dataSetFeatureMapping("features")
              .dataSetLabelMapping("labels")
              .build());
      loss = new Loss(sameDiff.getLossVariables(), new double[] {0.5});
    }
  }

  /** That instance in the midst of an epoch that the listener hears of. */
  @State(Scope.Benchmark)
  public static class ListenedInstance {
    private final SameDiffProgressListener listener =
        SameDiffProgressListener.builder().totalEpochs(2).build();

    @Setup
    public void begin(Instance instance) {
      listener.epochStart(instance.sameDiff, instance.at);
    }
  }

  /** That instance in the midst of a fit that the hooks tell of. */
  @State(Scope.Benchmark)
  public static class HookedInstance {
    private final SameDiffFits fits = new SameDiffFits();
    private final Map<String, String> placeholders = Map.of("features", "some", "labels", "some");
    private final List<String> outputs = new ArrayList<>();
    private final Set<String> required = new HashSet<>();
    private TrainingSession session;

    /** A fit of its own makes the gradients' graph, which the session works on. */
    @Setup
    public void begin(Instance instance) {
      SameDiff sameDiff = instance.sameDiff;
      sameDiff.fit(new DataSet(Nd4j.ones(1, 2), Nd4j.ones(1, 2)));
      session = new TrainingSession(sameDiff.getFunction("grad"));
      fits.fitBegan(sameDiff, null, 2, true, null, 1);
    }
  }

  @Benchmark
  public void listenerWithinAnEpoch(Epoch epoch) {
    epoch.listener.iterationDone(epoch.network, epoch.iteration++, 0);
  }

  @Benchmark
  public void listenerInALoopOfBatches(Batches batches) {
    batches.listener.iterationDone(batches.network, batches.iteration++, 0);
  }

  @Benchmark
  public void listenerOfSameDiff(Instance instance, ListenedInstance listened) {
    listened.listener.iterationDone(instance.sameDiff, instance.at, null, instance.loss);
  }

  @Benchmark
  public void hooksOfSameDiff(Instance instance, HookedInstance hooked) {
    SameDiffFits fits = hooked.fits;
    TrainingSession session = hooked.session;
    fits.iterationBegan(session, hooked.placeholders, instance.sameDiff.getLossVariables());
    hooked.outputs.clear();
    fits.outputBegan(session, hooked.outputs, hooked.required);
    fits.outputEnded(session, null);
    fits.iterationEnded(instance.sameDiff.getTrainingConfig(), instance.at, instance.loss, null);
  }
}
