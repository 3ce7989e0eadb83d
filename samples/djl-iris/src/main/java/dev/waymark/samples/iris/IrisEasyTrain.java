package dev.waymark.samples.iris;

import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.TrainingConfig;
import ai.djl.training.evaluator.Accuracy;
import ai.djl.training.listener.TrainingListener;
import ai.djl.training.loss.Loss;
import ai.djl.translate.TranslateException;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A DJL program as most are: the data is read ahead by a thread, {@link EasyTrain} does the rest.
 */
final class IrisEasyTrain {
  private IrisEasyTrain() {}

  /** Trains, and returns the part of the rows held out that the network gets right. */
  static float train(int epochs) throws IOException, TranslateException {
    Engine.getInstance().setRandomSeed(42);
    ExecutorService readAhead = Executors.newSingleThreadExecutor();
    TrainingConfig config =
        new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
            .addEvaluator(new Accuracy())
            .optOptimizer(IrisNetwork.optimizer(epochs, 0))
            .optExecutorService(readAhead)
            .addTrainingListeners(TrainingListener.Defaults.basic());

    try (NDManager manager = NDManager.newBaseManager();
        Model model = Model.newInstance("iris")) {
      IrisData data = IrisData.load(manager);
      model.setBlock(IrisNetwork.create());
      try (Trainer trainer = model.newTrainer(config)) {
        trainer.initialize(new Shape(1, IrisData.MEASURES));
        EasyTrain.fit(trainer, epochs, data.training, data.heldOut);
        return IrisNetwork.accuracy(trainer, data.heldOut);
      }
    } finally {
      readAhead.shutdown();
    }
  }
}
