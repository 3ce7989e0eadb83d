package example;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.Batch;
import ai.djl.training.listener.DivergenceCheckTrainingListener;
import ai.djl.training.listener.EarlyStoppingListener;
import ai.djl.training.listener.EpochTrainingListener;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.listener.TrainingListener;
import ai.djl.training.listener.TrainingListenerAdapter;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import example.engine.Line;
import example.engine.Points;
import example.engine.ScalarEngine;
import example.engine.SquaredError;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A DJL program that knows nothing of Waymark. Its argument says what happens in it; it prints the
 * trained weight, bit for bit.
 */
public final class Training {
  private static final int BATCHES = 10;
  private static final Points DATA = new Points(BATCHES, 3);
  private static final Points NO_NUMBERS = new Points(BATCHES, Float.NaN);

  private final Line line = new Line();
  private final List<TrainingListener> listeners = new ArrayList<>();

  private Training() {}

  public static void main(String[] arguments) throws Exception {
    new Training().run(arguments.length == 0 ? "fit" : arguments[0]);
  }

  private void run(String scenario) throws Exception {
    switch (scenario) {
      case "fit" -> {
        addDefaultListeners();
        withTrainer(trainer -> EasyTrain.fit(trainer, 4, DATA, DATA));
      }
      case "fit-without-listeners" -> withTrainer(trainer -> EasyTrain.fit(trainer, 4, DATA, null));
      case "fit-without-close" -> EasyTrain.fit(newTrainer(), 4, DATA, null);
      case "fits-of-one-epoch" -> {
        addDefaultListeners();
        withTrainer(
            trainer -> {
              for (int epoch = 0; epoch < 4; epoch++) {
                EasyTrain.fit(trainer, 1, DATA, null);
              }
            });
      }
      case "two-fits" -> {
        addDefaultListeners();
        withTrainer(
            trainer -> {
              EasyTrain.fit(trainer, 2, DATA, null);
              EasyTrain.fit(trainer, 3, DATA, null);
            });
      }
      case "loop" -> withTrainer(trainer -> loop(trainer, Long.MAX_VALUE, () -> {}));
      case "loop-that-dies-at-once" -> withTrainer(trainer -> loop(trainer, 0, Training::fail));
      case "loop-whose-gradients-fail" ->
          withTrainer(
              trainer -> {
                try (GradientCollector collector = trainer.newGradientCollector()) {
                  collector.backward(null);
                }
              });
      case "loop-that-dies" -> withTrainer(trainer -> loop(trainer, 15, Training::fail));
      case "loop-that-hangs" -> withTrainer(trainer -> loop(trainer, 15, Training::hang));
      case "early-stop" -> {
        addDefaultListeners();
        listeners.add(
            EarlyStoppingListener.builder()
                .optEarlyStopPctImprovement(99.9)
                .optEpochPatience(2)
                .build());
        withTrainer(
            trainer -> {
              try {
                EasyTrain.fit(trainer, 500, DATA, DATA);
              } catch (EarlyStoppingListener.EarlyStoppedException e) {
                System.out.println("stopped after epoch " + e.getStopEpoch());
              }
            });
      }
      case "divergence" -> {
        addDefaultListeners();
        listeners.add(new DivergenceCheckTrainingListener());
        withTrainer(trainer -> EasyTrain.fit(trainer, 4, NO_NUMBERS, null));
      }
      case "listener-that-throws" -> {
        listeners.add(onBatch(15, Training::fail));
        withTrainer(trainer -> EasyTrain.fit(trainer, 4, DATA, null));
      }
      case "fit-that-hangs" -> {
        listeners.add(onBatch(15, Training::hang));
        withTrainer(trainer -> EasyTrain.fit(trainer, 4, DATA, null));
      }
      case "fits-of-one-epoch-then-hangs" ->
          withTrainer(
              trainer -> {
                EasyTrain.fit(trainer, 1, DATA, null);
                EasyTrain.fit(trainer, 1, DATA, null);
                hang();
              });
      case "fit-then-hangs" ->
          withTrainer(
              trainer -> {
                EasyTrain.fit(trainer, 4, DATA, null);
                hang();
              });
      case "exit" -> {
        listeners.add(onBatch(15, () -> System.exit(3)));
        withTrainer(trainer -> EasyTrain.fit(trainer, 4, DATA, null));
      }
      case "nothing" -> withTrainer(trainer -> {});
      default -> throw new IllegalArgumentException(scenario);
    }
    if (!scenario.equals("nothing")) {
      System.out.println("weight " + Integer.toHexString(Float.floatToIntBits(line.weight())));
    }
  }

  private interface Work {
    void with(Trainer trainer) throws Exception;
  }

  private void withTrainer(Work work) throws Exception {
    try (Trainer trainer = newTrainer()) {
      work.with(trainer);
    }
  }

  private Trainer newTrainer() {
    Model model = Model.newInstance("line", Device.cpu(), ScalarEngine.NAME);
    model.setBlock(line);
    DefaultTrainingConfig config =
        new DefaultTrainingConfig(new SquaredError())
            .optDevices(new Device[] {Device.cpu()})
            .optOptimizer(
                Optimizer.sgd()
                    .setLearningRateTracker(Tracker.fixed(ScalarEngine.LEARNING_RATE))
                    .build())
            .addTrainingListeners(listeners.toArray(new TrainingListener[0]));
    Trainer trainer = model.newTrainer(config);
    trainer.initialize(new Shape(1));
    return trainer;
  }

  private void addDefaultListeners() {
    listeners.add(new EpochTrainingListener());
    listeners.add(new EvaluatorTrainingListener());
  }

  private static void fail() {
    throw new IllegalStateException("the program's own");
  }

  /** As a program may for long, that waits for data or serves what it has trained. */
  private static void hang() {
    System.out.println("hangs");
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TrainingListener onBatch(int number, Runnable action) {
    return new TrainingListenerAdapter() {
      private int batches;

      @Override
      public void onTrainingBatch(Trainer trainer, BatchData batch) {
        if (++batches == number) {
          action.run();
        }
      }
    };
  }

  /** Trains by hand; something happens after so many steps. */
  private static void loop(Trainer trainer, long steps, Runnable then) throws Exception {
    long done = 0;
    for (int epoch = 0; epoch < 4; epoch++) {
      for (Batch batch : trainer.iterateDataset(DATA)) {
        if (done++ == steps) {
          then.run();
        }
        try (GradientCollector collector = trainer.newGradientCollector()) {
          collector.backward(
              trainer.getLoss().evaluate(batch.getLabels(), trainer.forward(batch.getData())));
        }
        trainer.step();
        batch.close();
      }
    }
  }
}
