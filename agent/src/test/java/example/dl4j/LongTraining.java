package example.dl4j;

import java.util.function.Consumer;
import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.earlystopping.scorecalc.DataSetLossCalculator;
import org.deeplearning4j.earlystopping.termination.MaxEpochsTerminationCondition;
import org.deeplearning4j.earlystopping.trainer.EarlyStoppingTrainer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.parallelism.ParallelWrapper;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.dataset.DataSet;

/** Long trainings that know nothing of Waymark, with the same batch again and again. */
public final class LongTraining {
  private LongTraining() {}

  /** Makes as many iterations of each kind as the argument says. */
  public static void main(String[] arguments) {
    int iterations = Integer.parseInt(arguments[0]);

    MultiLayerNetwork network = Networks.network();
    loop("network.fit(batch)", iterations, network::fit);
    ComputationGraph graph = Networks.graph();
    loop("graph.fit(batch)", iterations, graph::fit);
    SameDiff instance = SameDiffTrainings.line();
    loop("SameDiff.fit(batch)", iterations, instance::fit);

    Networks.network().fit(new MeasuredBatches("network.fit(iterator)", iterations));
    SameDiffTrainings.line().fit(new MeasuredBatches("SameDiff.fit(iterator)", iterations), 1);
    inParallel(new MeasuredBatches("ParallelWrapper.fit(iterator)", iterations));
    early(new MeasuredBatches("EarlyStoppingTrainer.fit()", iterations));
  }

  static void loop(String what, int iterations, Consumer<DataSet> fit) {
    for (MeasuredBatches batches = new MeasuredBatches(what, iterations); batches.hasNext(); ) {
      fit.accept(batches.next());
    }
  }

  private static void inParallel(MeasuredBatches batches) {
    ParallelWrapper wrapper =
        new ParallelWrapper.Builder<>(Networks.network())
            .workers(2)
            .averagingFrequency(10)
            .prefetchBuffer(0)
            .build();
    wrapper.fit(batches);
    wrapper.shutdown();
  }

  private static void early(MeasuredBatches batches) {
    new EarlyStoppingTrainer(
            new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>()
                .epochTerminationConditions(new MaxEpochsTerminationCondition(1))
                .scoreCalculator(new DataSetLossCalculator(Data.points(), true))
                .build(),
            Networks.network(),
            batches)
        .fit();
  }
}
