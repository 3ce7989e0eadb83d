package dev.waymark.djl;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.ArrayDataset;
import ai.djl.training.dataset.Batch;
import ai.djl.training.evaluator.Accuracy;
import ai.djl.training.listener.TrainingListener;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import dev.waymark.reporter.RunOnAClock;
import dev.waymark.reporter.testing.ReceivedReports;
import dev.waymark.reporter.testing.Status;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Trainings of DJL with PyTorch: what the callbacks really give. */
class DjlTrainingIT {
  private static final int ROWS = 70;
  private static final int BATCH_SIZE = 32;
  private static final int BATCHES = 3; // the last one is smaller

  private static ReceivedReports reports;

  @BeforeAll
  static void listen() throws Exception {
    reports = ReceivedReports.inThisJvm();
  }

  @BeforeEach
  void agentMayAttach() {
    System.clearProperty("dev.waymark.reporter.byhand"); // as in a JVM that hasn't reported by hand
  }

  @Test
  void fitWithDefaultListeners() throws Exception {
    DefaultTrainingConfig config =
        config(Tracker.fixed(0.25f))
            .addEvaluator(new Accuracy())
            .addTrainingListeners(TrainingListener.Defaults.basic())
            .addTrainingListeners(ProgressTrainingListener.builder().optTotalEpochs(4).build());
    fit(config, 4, true);

    Status end = reports.lastWord();
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.number("total_steps")).isEqualTo(4 * BATCHES);
    assertThat(end.number("current_step")).isEqualTo(4 * BATCHES);
    assertThat(end.number("current_epoch")).isEqualTo(4);
    assertThat(end.number("learning_rate")).isEqualTo(0.25);
    assertThat(end.number("loss")).isPositive();
    assertThat(end.number("train_loss")).isPositive();
    assertThat(end.number("eval_loss")).isPositive();
    assertThat(end.number("train_accuracy")).isBetween(0.0, 1.0);
    assertThat(end.number("eval_accuracy")).isBetween(0.0, 1.0);
  }

  @Test
  void fitWithDataReadAhead() throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      DefaultTrainingConfig config =
          config(Tracker.fixed(0.25f))
              .optExecutorService(executor)
              .addTrainingListeners(ProgressTrainingListener.builder().optTotalEpochs(2).build());
      fit(config, 2, false);
    } finally {
      executor.shutdown();
    }

    Status end = reports.lastWord();
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.number("total_steps")).isEqualTo(2 * BATCHES);
  }

  @Test
  void fitWithoutDjlsListenersHasNoLossAndNoResults() throws Exception {
    fit(
        config(Tracker.fixed(0.25f)).addTrainingListeners(ProgressTrainingListener.create()),
        2,
        true);

    Status end = reports.lastWord();
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.metric("loss")).isNull();
    assertThat(end.metric("eval_loss")).isNull();
    assertThat(end.number("learning_rate")).isEqualTo(0.25);
  }

  @Test
  void fitWithoutValidationHasNoEvaluation() throws Exception {
    fit(
        config(Tracker.fixed(0.25f))
            .addTrainingListeners(TrainingListener.Defaults.basic())
            .addTrainingListeners(ProgressTrainingListener.create()),
        2,
        false);

    Status end = reports.lastWord();
    assertThat(end.number("train_loss")).isPositive();
    assertThat(end.metric("eval_loss")).as("NaN in DJL").isNull();
  }

  @Test
  void loopWithoutListenersAsTheAgentSeesIt() throws Exception {
    Engine.getInstance().setRandomSeed(7);
    DefaultTrainingConfig config = config(Tracker.fixed(0.25f));
    TrainerProgress progress = new TrainerProgress();
    float lastLoss = 0;
    try (NDManager manager = NDManager.newBaseManager();
        Model model = Model.newInstance("loop")) {
      ArrayDataset training = data(manager);
      ArrayDataset validation = data(manager);
      model.setBlock(network());
      try (Trainer trainer = model.newTrainer(config)) {
        progress.constructed(config);
        trainer.initialize(new Shape(1, 4));
        for (int epoch = 0; epoch < 3; epoch++) {
          progress.datasetIterated(trainer, training, null);
          for (Batch batch : trainer.iterateDataset(training)) {
            try (batch;
                GradientCollector collector = trainer.newGradientCollector()) {
              NDArray loss =
                  trainer.getLoss().evaluate(batch.getLabels(), trainer.forward(batch.getData()));
              collector.backward(loss);
              TrainerProgress.backward(loss);
              trainer.step();
              lastLoss = loss.getFloat();
            }
            progress.stepped(trainer, null);
          }
          progress.datasetIterated(trainer, validation, null);
        }
        progress.notified(listener -> listener.onTrainingEnd(trainer), null);
      }
    }
    TrainerProgress next = new TrainerProgress();
    next.stepped(TrainerDouble.of("next"), new IllegalStateException("only to end the loop"));

    Status end = reports.lastWords(2).get(0);
    assertThat(end.state()).isEqualTo("completed");
    assertThat(end.number("current_step")).isEqualTo(3 * BATCHES);
    assertThat(end.number("current_epoch")).isEqualTo(3);
    assertThat(end.number("learning_rate")).isEqualTo(0.25);
    assertThat(lastLoss).isPositive();
  }

  @Test
  void lossOfALoopIsSampledOnItsThread() {
    RunOnAClock run = new RunOnAClock();
    TrainerProgress progress = new TrainerProgress(Duration.ofMinutes(1), name -> run.run());
    Trainer trainer = TrainerDouble.of("samples");
    try (NDManager manager = NDManager.newBaseManager()) {
      NDArray loss = manager.create(0.75f);
      NDArray perRow = manager.create(new double[] {1, 2, 6});
      progress.stepped(trainer, null);
      assertThat(sampled(run, progress, trainer, loss)).isEqualTo("0.75");
      assertThat(sampled(run, progress, trainer, perRow)).as("the mean").isEqualTo("3");
      int arrays = manager.getManagedArrays().size();
      assertThat(sampled(run, progress, trainer, loss)).isEqualTo("0.75");
      assertThat(manager.getManagedArrays()).as("nothing is kept").hasSize(arrays);
    }
    progress.stepped(trainer, new IllegalStateException("only to end the run"));
    assertThat(run.state()).isEqualTo("failed");
  }

  /** The loss that is reported after a step with this one, where a sample is due. */
  private static String sampled(
      RunOnAClock run, TrainerProgress progress, Trainer trainer, NDArray loss) {
    run.pass(Duration.ofSeconds(5));
    TrainerProgress.backward(loss);
    progress.stepped(trainer, null);
    return run.metric("loss");
  }

  @Test
  void listenerChangesNoResult() throws Exception {
    float[] without =
        fit(
            config(Tracker.fixed(0.25f)).addTrainingListeners(TrainingListener.Defaults.basic()),
            5,
            true);
    float[] with =
        fit(
            config(Tracker.fixed(0.25f))
                .addTrainingListeners(TrainingListener.Defaults.basic())
                .addTrainingListeners(ProgressTrainingListener.create()),
            5,
            true);
    reports.lastWord();

    assertThat(with).as("bit for bit").isEqualTo(without);
  }

  /** Trains, and returns all the parameters. */
  private static float[] fit(DefaultTrainingConfig config, int epochs, boolean validate)
      throws Exception {
    Engine.getInstance().setRandomSeed(7);
    try (NDManager manager = NDManager.newBaseManager();
        Model model = Model.newInstance("fit")) {
      ArrayDataset data = data(manager);
      Block network = network();
      model.setBlock(network);
      try (Trainer trainer = model.newTrainer(config)) {
        trainer.initialize(new Shape(1, 4));
        EasyTrain.fit(trainer, epochs, data, validate ? data : null);
      }
      return parameters(network);
    }
  }

  private static float[] parameters(Block network) {
    int size = 0;
    for (var parameter : network.getParameters().values()) {
      size += Math.toIntExact(parameter.getArray().size());
    }
    float[] all = new float[size];
    int at = 0;
    for (var parameter : network.getParameters().values()) {
      float[] values = parameter.getArray().toFloatArray();
      System.arraycopy(values, 0, all, at, values.length);
      at += values.length;
    }
    return all;
  }

  private static DefaultTrainingConfig config(Tracker learningRate) {
    return new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
        .optOptimizer(Optimizer.sgd().setLearningRateTracker(learningRate).build());
  }

  private static Block network() {
    return new SequentialBlock()
        .add(Linear.builder().setUnits(8).build())
        .add(Activation::relu)
        .add(Linear.builder().setUnits(3).build());
  }

  private static ArrayDataset data(NDManager manager) {
    return new ArrayDataset.Builder()
        .setData(manager.randomNormal(new Shape(ROWS, 4)))
        .optLabels(manager.arange(ROWS).mod(3).toType(DataType.FLOAT32, false))
        .setSampling(BATCH_SIZE, true)
        .build();
  }
}
