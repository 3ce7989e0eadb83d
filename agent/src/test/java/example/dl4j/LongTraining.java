package example.dl4j;

import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.earlystopping.scorecalc.DataSetLossCalculator;
import org.deeplearning4j.earlystopping.termination.MaxEpochsTerminationCondition;
import org.deeplearning4j.earlystopping.trainer.EarlyStoppingTrainer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.parallelism.ParallelWrapper;
import org.nd4j.autodiff.samediff.SameDiff;

/** Long trainings that know nothing of Waymark, with the same batch again and again. */
public final class LongTraining {
  private LongTraining() {}

  /** Makes as many iterations as the first argument says, in the way that the second names. */
  public static void main(String[] arguments) {
    int iterations = Integer.parseInt(arguments[0]);
    String way = arguments[1];
    MeasuredBatches batches = new MeasuredBatches(way, iterations);
    switch (way) {
      case "network.fit(batch)":
        MultiLayerNetwork network = Networks.network();
        batches.forEachRemaining(network::fit);
        break;
      case "graph.fit(batch)":
        ComputationGraph graph = Networks.graph();
        batches.forEachRemaining(graph::fit);
        break;
      case "SameDiff.fit(batch)":
        SameDiff instance = SameDiffTrainings.line();
        batches.forEachRemaining(instance::fit);
        break;
      case "network.fit(iterator)":
        Networks.network().fit(batches);
        break;
      case "SameDiff.fit(iterator)":
        SameDiffTrainings.line().fit(batches, 1);
        break;
      case "ParallelWrapper.fit(iterator)":
        inParallel(batches);
        break;
      case "EarlyStoppingTrainer.fit()":
        early(batches);
        break;
      default:
        throw new IllegalArgumentException(way);
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
