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
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.internal.TrainingSession;
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
    private final SameDiff sameDiff = SmallestDl4j.sameDiff();
    private final At at = At.defaultAt(Operation.TRAINING);
    private final Loss loss = new Loss(sameDiff.getLossVariables(), new double[] {0.5});
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

  /** That instance as the hooks tell of it. */
  @State(Scope.Benchmark)
  public static class HookedInstance {
    private final SameDiffFits fits = new SameDiffFits();
    private final Map<String, String> placeholders = Map.of("features", "some", "labels", "some");
    private final List<String> outputs = new ArrayList<>();
    private final Set<String> required = new HashSet<>();
    private TrainingSession session;

    /** A fit of its own makes the gradients' graph, which the session works on. */
    @Setup
    public void train(Instance instance) {
      instance.sameDiff.fit(SmallestDl4j.batchOfSameDiff());
      session = new TrainingSession(instance.sameDiff.getFunction("grad"));
    }

    private void iterate(Instance instance) {
      SameDiff sameDiff = instance.sameDiff;
      fits.iterationBegan(session, placeholders, sameDiff.getLossVariables());
      if (fits.isAsking()) {
        outputs.clear();
        fits.outputBegan(session, outputs, required);
        fits.outputEnded(session, null);
      }
      fits.iterationEnded(sameDiff.getTrainingConfig(), instance.at, instance.loss, null);
    }
  }

  /** In the midst of a fit. */
  @State(Scope.Benchmark)
  public static class HookedEpoch extends HookedInstance {
    @Setup
    public void begin(Instance instance) {
      super.fits.fitBegan(instance.sameDiff, null, 2, true, null, 1);
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
  public void hooksOfSameDiff(Instance instance, HookedEpoch hooked) {
    ((HookedInstance) hooked).iterate(instance);
  }

  @Benchmark
  public void hooksOfSameDiffInALoopOfBatches(Instance instance, HookedInstance hooked) {
    hooked.fits.fitBegan(instance.sameDiff, null, 1, false, null, 1);
    hooked.iterate(instance);
    hooked.fits.fitEnded(instance.sameDiff, null);
  }
}
