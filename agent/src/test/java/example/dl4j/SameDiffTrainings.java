package example.dl4j;

import java.io.File;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.nd4j.autodiff.listeners.At;
import org.nd4j.autodiff.listeners.BaseListener;
import org.nd4j.autodiff.listeners.ListenerResponse;
import org.nd4j.autodiff.listeners.Loss;
import org.nd4j.autodiff.listeners.Operation;
import org.nd4j.autodiff.listeners.records.LossCurve;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.TrainingConfig;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.adapter.MultiDataSetIteratorAdapter;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Sgd;

/**
 * Trainings with SameDiff alone, which know nothing of Waymark and do without deeplearning4j-nn;
 * the arguments name them.
 */
public final class SameDiffTrainings {
  static final Map<String, Training> ALL = new LinkedHashMap<>();

  private static final double LEARNING_RATE = 0.125;

  static {
    ALL.put("samediff", SameDiffTrainings::sameDiff);
    ALL.put("samediff-validation", SameDiffTrainings::sameDiffWithValidation);
    ALL.put("samediff-evaluated", SameDiffTrainings::sameDiffEvaluated);
    ALL.put("samediff-multi-batches", SameDiffTrainings::sameDiffMultiBatches);
    ALL.put("samediff-stopped", SameDiffTrainings::sameDiffStopped);
    ALL.put("batches-of-samediff", SameDiffTrainings::batchesOfSameDiff);
    ALL.put("thrown-in-samediff", SameDiffTrainings::thrownInSameDiff);
    ALL.put("zero-loss-at-first", SameDiffTrainings::zeroLossAtFirst);
    ALL.put("losses-of-samediff", SameDiffTrainings::lossesOfSameDiff);
    ALL.put("restored-samediff", SameDiffTrainings::restored);
  }

  private SameDiffTrainings() {}

  /** Runs the trainings that are named. */
  public static void main(String[] names) throws Exception {
    Training.runAll(ALL, names);
  }

  static SameDiff line() {
    return line(new TrainingConfig.Builder());
  }

  private static SameDiff line(TrainingConfig.Builder training) {
    SameDiff sd = SameDiff.create();
    SDVariable points = sd.placeHolder("points", DataType.FLOAT, -1, 4);
    SDVariable kinds = sd.placeHolder("kinds", DataType.FLOAT, -1, 3);
    SDVariable weights =
        sd.var(
            "weights",
            Nd4j.createFromArray(
                new float[][] {
                  {.1f, .2f, .3f}, {.4f, -.1f, -.2f}, {-.3f, -.4f, .5f}, {0, .6f, -.5f}
                }));
    SDVariable logits = points.mmul("logits", weights);
    sd.nn.softmax("shares", logits);
    sd.loss.softmaxCrossEntropy("entropy", kinds, logits, null);
    sd.setLossVariables("entropy");
    sd.setTrainingConfig(
        training
            .updater(new Sgd(LEARNING_RATE))
            .dataSetFeatureMapping("points")
            .dataSetLabelMapping("kinds")
            .build());
    return sd;
  }

  private static void print(SameDiff sd) {
    System.out.println(
        "parameters " + Arrays.deepHashCode(sd.getVariable("weights").getArr().toFloatMatrix()));
  }

  /** The losses of five epochs' iterations, which fit itself doesn't say. */
  private static void lossesOfSameDiff() {
    SameDiff sd = line();
    for (int epoch = 0; epoch < 5; epoch++) {
      for (DataSet batch : Data.batches()) {
        Numbers.print(
            "loss",
            sd.output(Map.of("points", batch.getFeatures(), "kinds", batch.getLabels()), "entropy")
                .get("entropy")
                .getDouble(0));
        sd.fit(batch);
      }
    }
  }

  private static void sameDiff() {
    SameDiff sd = line();
    sd.fit(Data.points(), 5, new PrintedLoss());
    print(sd);
  }

  private static void sameDiffWithValidation() {
    SameDiff sd =
        line(new TrainingConfig.Builder().validationEvaluation("shares", 0, new Evaluation()));
    var history = sd.fit(Data.points(), 4, Data.points(), 2, new PrintedLoss());
    history
        .validationEval(Evaluation.Metric.ACCURACY)
        .forEach(accuracy -> Numbers.print("accuracy", accuracy));
    print(sd);
  }

  /** On the data that it trains with. */
  private static void sameDiffEvaluated() {
    SameDiff sd = line(new TrainingConfig.Builder().trainEvaluation("shares", 0, new Evaluation()));
    sd.fit(Data.points(), 4, new PrintedLoss())
        .trainingEval(Evaluation.Metric.ACCURACY)
        .forEach(accuracy -> Numbers.print("train accuracy", accuracy));
    print(sd);
  }

  private static void sameDiffMultiBatches() {
    SameDiff sd = line();
    sd.fit(new MultiDataSetIteratorAdapter(Data.points()), 4, new PrintedLoss());
    print(sd);
  }

  private static void sameDiffStopped() {
    SameDiff sd = line();
    sd.fit(Data.points(), 9, new StoppingAfter(2));
    print(sd);
  }

  private static void batchesOfSameDiff() {
    SameDiff sd = line();
    for (DataSet batch : Data.batches()) {
      sd.fit(batch, new PrintedLoss());
    }
    print(sd);
  }

  private static void thrownInSameDiff() {
    SameDiff sd = line();
    try {
      sd.fit(
          Data.points(),
          5,
          new PrintedLoss() {
            @Override
            public void iterationDone(SameDiff instance, At at, MultiDataSet data, Loss loss) {
              super.iterationDone(instance, at, data, loss);
              if (at.iteration() == 8) {
                throw new IllegalStateException("thrown at 8");
              }
            }
          });
    } catch (IllegalStateException e) {
      System.out.println("caught " + e.getMessage());
    }
    print(sd);
  }

  /** Of two losses the gradients need the first, and of the second only what it is made of. */
  private static void zeroLossAtFirst() {
    SameDiff sd = SameDiff.create();
    SDVariable points = sd.placeHolder("points", DataType.FLOAT, -1, 4);
    sd.placeHolder("kinds", DataType.FLOAT, -1, 3);
    SDVariable weights = sd.var("weights", Nd4j.ones(DataType.FLOAT, 4, 1));
    points.mmul(weights).mean("mean").mul("product", weights.sum("sum"));
    sd.setLossVariables("mean", "product");
    sd.setTrainingConfig(
        new TrainingConfig.Builder()
            .updater(new Sgd(LEARNING_RATE))
            .dataSetFeatureMapping("points")
            .dataSetLabelMapping("kinds")
            .build());
    List<DataSet> batches = Data.batches();
    batches.set(0, new DataSet(Nd4j.zeros(DataType.FLOAT, 16, 4), batches.get(0).getLabels()));
    sd.fit(new ListDataSetIterator<>(batches, 1), 1, new PrintedLosses());
    print(sd);
  }

  /** One that is read from a file goes on with the epochs and iterations that are written there. */
  private static void restored() throws Exception {
    SameDiff before = line();
    before.fit(Data.points(), 3, new PrintedLoss());
    File file = File.createTempFile("samediff", ".fb");
    before.save(file, true);
    SameDiff sd = SameDiff.load(file, true);
    if (!file.delete()) {
      throw new IllegalStateException("a file stays behind");
    }
    sd.fit(Data.points(), 2, new PrintedLoss());
    print(sd);
  }

  /** Listens to trainings only. */
  private static class Silent extends BaseListener {
    @Override
    public boolean isActive(Operation operation) {
      return operation == Operation.TRAINING;
    }
  }

  /** Prints what SameDiff says. */
  private static class PrintedLoss extends Silent {
    @Override
    public void iterationDone(SameDiff sd, At at, MultiDataSet data, Loss loss) {
      Numbers.print("told", loss.totalLoss());
    }
  }

  /** Of a mean and its product with the sum of the weights, which is told as 0.0. */
  private static final class PrintedLosses extends PrintedLoss {
    private double sum;

    @Override
    public void iterationStart(SameDiff sd, At at, MultiDataSet data, long millis) {
      sum = sd.getVariable("weights").getArr().sumNumber().doubleValue();
    }

    @Override
    public void iterationDone(SameDiff sd, At at, MultiDataSet data, Loss loss) {
      super.iterationDone(sd, at, data, loss);
      Numbers.print("loss", loss.totalLoss() + loss.lossValues()[0] * sum);
    }
  }

  private static final class StoppingAfter extends PrintedLoss {
    private final int epochs;

    StoppingAfter(int epochs) {
      this.epochs = epochs;
    }

    @Override
    public ListenerResponse epochEnd(SameDiff sd, At at, LossCurve curve, long millis) {
      return at.epoch() + 1 >= epochs ? ListenerResponse.STOP : ListenerResponse.CONTINUE;
    }
  }
}
