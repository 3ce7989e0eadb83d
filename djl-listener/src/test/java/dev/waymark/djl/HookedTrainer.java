package dev.waymark.djl;

import ai.djl.training.Trainer;
import ai.djl.training.dataset.Dataset;
import ai.djl.training.listener.TrainingListener;
import dev.waymark.reporter.RunOnAClock;
import dev.waymark.reporter.TrainingRun;
import java.time.Duration;

/** A trainer, and the hooks in the order in which DJL 0.36 comes by them. */
final class HookedTrainer {
  private static final int BATCHES = 3;

  final TrainerProgress progress;
  final Trainer trainer;

  private final Dataset data = new NoData();
  private final Dataset validation = new NoData();

  HookedTrainer(String name) {
    this(name, Duration.ofMinutes(1));
  }

  HookedTrainer(String name, Duration quiet) {
    this(name, new TrainerProgress(quiet, TrainingRun::attach));
  }

  /** One whose run is not sent; its time goes by as a test wants it. */
  HookedTrainer(String name, RunOnAClock run) {
    this(name, new TrainerProgress(Duration.ofMinutes(1), trainer -> run.run()));
  }

  private HookedTrainer(String name, TrainerProgress progress) {
    this.progress = progress;
    trainer = TrainerDouble.of(name);
    progress.notified(listener -> listener.onTrainingBegin(trainer), null);
  }

  /** Ends whatever loop is not over yet, with a run of one epoch. */
  static void endLoops() {
    HookedTrainer last = new HookedTrainer("last");
    last.fit(1);
    last.close();
  }

  void fit(int epochs) {
    progress.fitBegan(trainer, epochs);
    for (int epoch = 0; epoch < epochs; epoch++) {
      fitEpoch();
    }
    progress.fitEnded(null);
  }

  void fitEpoch() {
    for (int batch = 0; batch < BATCHES; batch++) {
      fitBatch();
    }
    endEpoch();
  }

  void fitBatch() {
    TrainingListener.BatchData batch = TrainerDouble.batch(32, BATCHES * 32 - 1);
    progress.notified(listener -> listener.onTrainingBatch(trainer, batch), null);
    progress.stepped(trainer, null);
  }

  void endEpoch() {
    progress.notified(listener -> listener.onEpoch(trainer), null);
  }

  void validate() {
    TrainingListener.BatchData batch = TrainerDouble.batch(32, 32);
    progress.notified(listener -> listener.onValidationBatch(trainer, batch), null);
  }

  void step() {
    collectGradients();
    progress.stepped(trainer, null);
  }

  /** A batch by hand begins, whose loss is about to be computed. */
  void collectGradients() {
    progress.collectsGradients(trainer, null);
  }

  /** A batch by hand that fails where the gradients are computed. */
  void backwardThrows(Throwable thrown) {
    collectGradients();
    TrainerProgress.backwardFailed(thrown);
  }

  /** Trains by hand, which iterates the data for each epoch. */
  void loop(int epochs) {
    for (int epoch = 0; epoch < epochs; epoch++) {
      progress.datasetIterated(trainer, data, null);
      for (int batch = 0; batch < BATCHES; batch++) {
        step();
      }
    }
  }

  /** Trains by hand, and evaluates after each step but the last of an epoch. */
  void loopWithEvaluations(int epochs) {
    for (int epoch = 0; epoch < epochs; epoch++) {
      progress.datasetIterated(trainer, data, null);
      step();
      for (int batch = 1; batch < BATCHES; batch++) {
        progress.datasetIterated(trainer, validation, null);
        step();
      }
    }
  }

  void close() {
    progress.notified(listener -> listener.onTrainingEnd(trainer), null);
  }
}
