package dev.waymark.samples.iris;

import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.Dropout;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Dataset;
import ai.djl.training.evaluator.Accuracy;
import ai.djl.training.optimizer.Adam;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import ai.djl.translate.TranslateException;
import java.io.IOException;

/** The network that all three programs train, how its learning rate goes, and what it is worth. */
final class IrisNetwork {
  /** Far more than three species of iris need: the work should take its time. */
  private static final int HIDDEN = 256;

  private IrisNetwork() {}

  static Block create() {
    return new SequentialBlock()
        .add(Linear.builder().setUnits(HIDDEN).build())
        .add(Activation::relu)
        .add(Dropout.builder().optRate(0.3f).build())
        .add(Linear.builder().setUnits(HIDDEN).build())
        .add(Activation::relu)
        .add(Dropout.builder().optRate(0.3f).build())
        .add(Linear.builder().setUnits(IrisData.SPECIES).build());
  }

  /**
   * Adam, whose learning rate grows for a tenth of the training and then falls along a cosine.
   *
   * @param epochs epochs of the training in all
   * @param epochsDone those of them that were done before
   */
  static Optimizer optimizer(int epochs, int epochsDone) {
    int updates = epochs * IrisData.BATCHES;
    int warmUp = updates / 10;
    Tracker cosine =
        Tracker.cosine()
            .setBaseValue(1e-3f)
            .optFinalValue(1e-6f)
            .setMaxUpdates(updates - warmUp)
            .build();
    return Adam.builder()
        .optLearningRateTracker(
            Tracker.warmUp()
                .setMainTracker(cosine)
                .optWarmUpBeginValue(1e-5f)
                .optWarmUpSteps(warmUp)
                .build())
        .optBeginNumUpdate(epochsDone * IrisData.BATCHES)
        .build();
  }

  /** The part of the rows that the network gets right, 0 to 1. */
  static float accuracy(Trainer trainer, Dataset rows) throws IOException, TranslateException {
    Accuracy accuracy = new Accuracy();
    accuracy.addAccumulator("rows");
    for (Batch batch : trainer.iterateDataset(rows)) {
      try (batch) {
        accuracy.updateAccumulator("rows", batch.getLabels(), trainer.evaluate(batch.getData()));
      }
    }
    return accuracy.getAccumulator("rows");
  }
}
