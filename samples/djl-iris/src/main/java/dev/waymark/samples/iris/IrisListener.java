package dev.waymark.samples.iris;

import ai.djl.MalformedModelException;
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
import dev.waymark.djl.ProgressTrainingListener;
import java.io.IOException;
import java.nio.file.Path;

/** Reports by hand, saves a checkpoint after each epoch, and goes on from the newest one. */
final class IrisListener {
  private IrisListener() {}

  /** Trains, and returns the part of the rows held out that the network gets right. */
  static float train(int epochs, Path checkpointFolder)
      throws IOException, TranslateException, MalformedModelException {
    Engine.getInstance().setRandomSeed(42);
    try (NDManager manager = NDManager.newBaseManager();
        Model model = Model.newInstance("iris")) {
      IrisData data = IrisData.load(manager);
      model.setBlock(IrisNetwork.create());
      IrisCheckpoint checkpoint = new IrisCheckpoint(checkpointFolder);
      int epochsDone = checkpoint.load(model);
      System.out.println("Epochs done before: " + epochsDone);

      TrainingConfig config =
          new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
              .addEvaluator(new Accuracy())
              .optOptimizer(IrisNetwork.optimizer(epochs, epochsDone))
              .addTrainingListeners(TrainingListener.Defaults.basic())
              .addTrainingListeners(checkpoint)
              .addTrainingListeners(
                  ProgressTrainingListener.builder() // the last, so that it sees what the others do
                      .optTotalEpochs(epochs)
                      .optStartEpoch(epochsDone)
                      .build());

      try (Trainer trainer = model.newTrainer(config)) {
        trainer.initialize(new Shape(1, IrisData.MEASURES));
        EasyTrain.fit(trainer, epochs - epochsDone, data.training, data.heldOut);
        return IrisNetwork.accuracy(trainer, data.heldOut);
      }
    }
  }
}
