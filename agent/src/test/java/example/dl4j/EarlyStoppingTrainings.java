package example.dl4j;

import java.util.LinkedHashMap;
import java.util.Map;
import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.earlystopping.EarlyStoppingResult;
import org.deeplearning4j.earlystopping.scorecalc.ClassificationScoreCalculator;
import org.deeplearning4j.earlystopping.scorecalc.DataSetLossCalculator;
import org.deeplearning4j.earlystopping.termination.BestScoreEpochTerminationCondition;
import org.deeplearning4j.earlystopping.termination.InvalidScoreIterationTerminationCondition;
import org.deeplearning4j.earlystopping.termination.MaxEpochsTerminationCondition;
import org.deeplearning4j.earlystopping.trainer.EarlyStoppingGraphTrainer;
import org.deeplearning4j.earlystopping.trainer.EarlyStoppingTrainer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.evaluation.classification.Evaluation;

/** Trainings that early stopping may end. */
final class EarlyStoppingTrainings {
  static final Map<String, Training> ALL = new LinkedHashMap<>();

  static {
    ALL.put("early-by-epochs", EarlyStoppingTrainings::earlyByEpochs);
    ALL.put("early-by-score", EarlyStoppingTrainings::earlyByScore);
    ALL.put("early-by-nan", EarlyStoppingTrainings::earlyByNan);
    ALL.put("early-by-exception", EarlyStoppingTrainings::earlyByException);
    ALL.put("early-pretraining", EarlyStoppingTrainings::earlyPretraining);
    ALL.put("early-graph", EarlyStoppingTrainings::earlyGraph);
  }

  private EarlyStoppingTrainings() {}

  private static void earlyByEpochs() {
    MultiLayerNetwork network = Printed.by(Networks.network());
    early(network, new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>(), 4);
  }

  private static void earlyByScore() {
    MultiLayerNetwork network = Printed.by(Networks.network());
    early(
        network,
        new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>()
            .epochTerminationConditions(
                new MaxEpochsTerminationCondition(50), new BestScoreEpochTerminationCondition(10)),
        0);
  }

  private static void earlyByNan() {
    MultiLayerNetwork network = Printed.by(Networks.diverging(30));
    early(
        network,
        new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>()
            .iterationTerminationConditions(new InvalidScoreIterationTerminationCondition()),
        20);
  }

  private static void earlyByException() {
    MultiLayerNetwork network = Printed.by(Networks.network());
    network.addListeners(new ThrowingAt(9));
    early(network, new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>(), 4);
  }

  private static void earlyPretraining() {
    MultiLayerNetwork network = Printed.by(Networks.pretrainable());
    print(
        trainer(
                network,
                new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>()
                    .epochTerminationConditions(new MaxEpochsTerminationCondition(2)))
            .pretrain(),
        network);
  }

  private static void earlyGraph() {
    ComputationGraph graph = Networks.graph();
    graph.setListeners(new Printed());
    var result =
        new EarlyStoppingGraphTrainer(
                new EarlyStoppingConfiguration.Builder<ComputationGraph>()
                    .epochTerminationConditions(new MaxEpochsTerminationCondition(3))
                    .evaluateEveryNEpochs(2)
                    .scoreCalculator(
                        new ClassificationScoreCalculator(
                            Evaluation.Metric.ACCURACY, Data.points()))
                    .build(),
                graph,
                Data.points())
            .fit();
    result.getScoreVsEpoch().values().forEach(score -> Numbers.print("accuracy", score));
    Printed.parameters(graph);
  }

  private static void early(
      MultiLayerNetwork network,
      EarlyStoppingConfiguration.Builder<MultiLayerNetwork> conditions,
      int epochs) {
    if (epochs > 0) {
      conditions.epochTerminationConditions(new MaxEpochsTerminationCondition(epochs));
    }
    print(trainer(network, conditions).fit(), network);
  }

  private static EarlyStoppingTrainer trainer(
      MultiLayerNetwork network, EarlyStoppingConfiguration.Builder<MultiLayerNetwork> conditions) {
    return new EarlyStoppingTrainer(
        conditions.scoreCalculator(new DataSetLossCalculator(Data.points(), true)).build(),
        network,
        Data.points());
  }

  private static void print(EarlyStoppingResult<?> result, Model network) {
    System.out.println("reason " + result.getTerminationReason());
    result.getScoreVsEpoch().values().forEach(score -> Numbers.print("score", score));
    Printed.parameters(network);
  }
}
