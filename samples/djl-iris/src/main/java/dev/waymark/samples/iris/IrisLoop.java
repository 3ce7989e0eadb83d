package dev.waymark.samples.iris;

import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;
import ai.djl.training.TrainingConfig;
import ai.djl.training.dataset.Batch;
import ai.djl.training.loss.Loss;
import ai.djl.translate.TranslateException;
import java.io.IOException;

/** The same training as a loop written by hand: no EasyTrain, no listeners. */
final class IrisLoop {
  private IrisLoop() {}

  /** Trains, and returns the part of the rows held out that the network gets right. */
  static float train(int epochs) throws IOException, TranslateException {
    Engine.getInstance().setRandomSeed(42);
    TrainingConfig config =
        new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
            .optOptimizer(IrisNetwork.optimizer(epochs, 0));

    try (NDManager manager = NDManager.newBaseManager();
        Model model = Model.newInstance("iris")) {
      IrisData data = IrisData.load(manager);
      model.setBlock(IrisNetwork.create());
      try (Trainer trainer = model.newTrainer(config)) {
        trainer.initialize(new Shape(1, IrisData.MEASURES));
        for (int epoch = 0; epoch < epochs; epoch++) {
          for (Batch batch : trainer.iterateDataset(data.training)) {
            try (batch;
                GradientCollector collector = trainer.newGradientCollector()) {
              NDList predictions = trainer.forward(batch.getData());
              NDArray loss = trainer.getLoss().evaluate(batch.getLabels(), predictions);
              collector.backward(loss);
              trainer.step();
            }
          }
        }
        return IrisNetwork.accuracy(trainer, data.heldOut);
      }
    }
  }
}
