package example;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.listener.EpochTrainingListener;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.listener.TrainingListener;
import example.engine.Line;
import example.engine.Points;
import example.engine.ScalarEngine;
import example.engine.SquaredError;
import java.util.List;

/** Trains time and again, as a search for the best settings does. Its argument says how often. */
public final class ManyTrainings {
  private static final int EPOCHS = 2;

  private ManyTrainings() {}

  public static void main(String[] arguments) throws Exception {
    for (int training = 0; training < Integer.parseInt(arguments[0]); training++) {
      train(EPOCHS, List.of());
    }
  }

  /**
   * Trains once.
   *
   * @param listeners that come after DJL's own
   */
  static void train(int epochs, List<TrainingListener> listeners) throws Exception {
    DefaultTrainingConfig config =
        new DefaultTrainingConfig(new SquaredError())
            .optDevices(new Device[] {Device.cpu()})
            .addTrainingListeners(new EpochTrainingListener(), new EvaluatorTrainingListener())
            .addTrainingListeners(listeners.toArray(new TrainingListener[0]));
    Model model = Model.newInstance("line", Device.cpu(), ScalarEngine.NAME);
    model.setBlock(new Line());
    try (Trainer trainer = model.newTrainer(config)) {
      trainer.initialize(new Shape(1));
      EasyTrain.fit(trainer, epochs, new Points(3, 3), null);
    }
  }
}
