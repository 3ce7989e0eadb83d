package dev.waymark.djl;

import ai.djl.training.Trainer;
import ai.djl.training.listener.TrainingListener.BatchData;
import dev.waymark.reporter.TrainingRun;
import dev.waymark.reporter.Turn;
import dev.waymark.reporter.Turn.Hold;

/**
 * The training of one trainer as a listener in its list sees it: begins a run with the first batch
 * and tells from the events when and how it ends.
 */
final class ListenedTraining {
  private final int totalEpochs;
  private final Turn turn = new Turn();
  private volatile TrainingRun run;
  private volatile boolean betweenEpochs;
  private TrainerReadings readings;

  /**
   * Epochs that the next run goes on from: those before this session, and those that nobody heard
   * of while another trainer was reported. A second run of the trainer starts anew.
   */
  private int epochsBefore;

  /**
   * @param totalEpochs epochs planned in all, 0 if unknown
   * @param startEpoch those of them that were done before this session
   */
  ListenedTraining(int totalEpochs, int startEpoch) {
    this.totalEpochs = totalEpochs;
    this.epochsBefore = startEpoch;
  }

  /** The trainer is under construction. It may be there to evaluate only, so no run begins yet. */
  void constructed() {}

  void batch(Trainer trainer, BatchData batchData) {
    if (run == null || run.hasEnded() || turn.isFreeAgain()) {
      begin();
    } else if (betweenEpochs) {
      run.withdrawPresumption();
      turn.hold(Hold.UNTIL_YOUNGER);
    }
    if (!run.isReported()) {
      return; // Outside a TrainJob, for instance, it is to cost nothing.
    }
    betweenEpochs(false);
    readings.batch(trainer, batchData);
    turn.stepped();
  }

  void validationBatch() {
    if (run != null) {
      run.evaluating();
      presumeIfBetweenEpochs();
    }
  }

  void epoch(Trainer trainer) {
    if (run == null) {
      return;
    }
    if (!run.isReported()) {
      epochsBefore++;
      return;
    }
    readings.epoch(trainer);
    betweenEpochs(true);
    presumeIfBetweenEpochs();
  }

  /** The trainer is closed. */
  void end() {
    turn.over();
  }

  /** Whoever stops within an epoch stops early. */
  private void betweenEpochs(boolean between) {
    betweenEpochs = between;
    turn.midway(!between);
  }

  private void begin() {
    run = turn.take(TrainingRun::start);
    turn.hold(Hold.UNTIL_YOUNGER);
    if (run.isReported()) {
      if (epochsBefore > 0) {
        run.resumedAtEpoch(epochsBefore);
      }
      epochsBefore = 0;
    }
    readings = new TrainerReadings(run, totalEpochs, null);
  }

  private void presumeIfBetweenEpochs() {
    if (!betweenEpochs) {
      return;
    }
    if (run.isPlanDone()) {
      turn.hold(Hold.LOOSE);
      run.presumeOver(Quiet.ONE_MINUTE, true);
    } else if (!run.isPlanKnown()) {
      run.presumeCompleted(Quiet.UNTIL_JVM_ENDS, false);
    }
  }
}
