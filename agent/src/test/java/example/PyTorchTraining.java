package example;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.ArrayDataset;
import ai.djl.training.dataset.Batch;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.listener.TrainingListener;
import ai.djl.training.listener.TrainingListenerAdapter;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;

/**
 * A small network on PyTorch, trained by EasyTrain ({@code fit}) or by hand ({@code loop}). Prints
 * the loss of each batch.
 */
public final class PyTorchTraining {
  private static final int EPOCHS = 100;
  private static final int RECORDS = 320;
  private static final int BATCH_SIZE = 32;

  private PyTorchTraining() {}

  public static void main(String[] arguments) throws Exception {
    Engine.getEngine("PyTorch").setRandomSeed(7);
    try (Model model = Model.newInstance("small", Device.cpu(), "PyTorch")) {
      model.setBlock(
          new SequentialBlock()
              .add(Linear.builder().setUnits(16).build())
              .add(Activation::relu)
              .add(Linear.builder().setUnits(1).build()));
      DefaultTrainingConfig config =
          new DefaultTrainingConfig(Loss.l2Loss())
              .optDevices(new Device[] {Device.cpu()})
              .optOptimizer(
                  Optimizer.sgd()
                      .setLearningRateTracker(
                          Tracker.factor()
                              .setBaseValue(0.1f)
                              .setFactor(0.999f)
                              .optMinValue(0.01f)
                              .build())
                      .build());
      if (arguments[0].equals("fit")) {
        config.addTrainingListeners(new EvaluatorTrainingListener(), printLosses());
      }
      try (Trainer trainer = model.newTrainer(config)) {
        trainer.initialize(new Shape(BATCH_SIZE, 4));
        ArrayDataset data = data(trainer.getManager());
        if (arguments[0].equals("fit")) {
          EasyTrain.fit(trainer, EPOCHS, data, null);
        } else {
          loop(trainer, data);
        }
      }
    }
  }

  private static ArrayDataset data(NDManager manager) {
    NDArray x = manager.randomNormal(new Shape(RECORDS, 4));
    NDArray y = x.sum(new int[] {1}, true);
    return new ArrayDataset.Builder()
        .setData(x)
        .optLabels(y)
        .setSampling(BATCH_SIZE, false)
        .build();
  }

  private static void loop(Trainer trainer, ArrayDataset data) throws Exception {
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      for (Batch batch : trainer.iterateDataset(data)) {
        try (GradientCollector collector = trainer.newGradientCollector()) {
          NDList predictions = trainer.forward(batch.getData());
          NDArray loss = trainer.getLoss().evaluate(batch.getLabels(), predictions);
          collector.backward(loss);
          System.out.println("loss " + loss.getFloat());
        }
        trainer.step();
        batch.close();
      }
    }
  }

  private static TrainingListener printLosses() {
    return new TrainingListenerAdapter() {
      @Override
      public void onTrainingBatch(Trainer trainer, BatchData batch) {
        float loss = trainer.getLoss().getAccumulator(EvaluatorTrainingListener.TRAIN_ALL);
        System.out.println("loss " + loss);
      }
    };
  }
}
