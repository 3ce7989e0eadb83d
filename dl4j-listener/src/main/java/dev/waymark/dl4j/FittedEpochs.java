package dev.waymark.dl4j;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Where a run of one model stands: its steps and epochs, as they are told, or as they follow from
 * the length of an epoch. Steps may come from any thread, all else from one at a time.
 */
final class FittedEpochs {
  private final Counters start;
  private final AtomicLong stepsInEpoch = new AtomicLong();

  /** Steps of the epochs that are done. */
  private final AtomicLong stepsOfEpochs = new AtomicLong();

  private volatile long plannedSteps;
  private volatile long stepsOfLastEpoch;
  private int done;

  /** Passes over the data that are done and will be told with their layer's end. */
  private int passesCounted;

  /**
   * @param start where the model stood when the run began, as far as it goes on from there
   * @param plannedSteps in an epoch; 0 if unknown
   */
  FittedEpochs(Counters start, long plannedSteps) {
    this.start = start;
    this.plannedSteps = plannedSteps;
  }

  Counters start() {
    return start;
  }

  /** Where the model stands by what was seen of it. */
  Counters reached() {
    return start.plus(stepsOfEpochs.get() + stepsInEpoch.get(), done);
  }

  /** How many are done in this run. */
  int done() {
    return done;
  }

  /** Steps in an epoch as planned; 0 if unknown, or once an epoch has outrun that. */
  long plannedSteps() {
    return plannedSteps;
  }

  /** Whatever was done of an epoch that was broken off is none of the next. */
  void breakOff() {
    stepsInEpoch.set(0);
  }

  /**
   * One more step is done.
   *
   * @return whether the plan is outrun with it
   */
  boolean stepped() {
    long planned = plannedSteps;
    boolean outrun = stepsInEpoch.incrementAndGet() > planned && planned > 0;
    if (outrun) {
      plannedSteps = 0;
    }
    return outrun;
  }

  /** Whether the next step is an epoch's last, by the length of the one before or as planned. */
  boolean isNextTheLast() {
    return stepsInEpoch.get() + 1 == length();
  }

  /** Whether all steps of the present epoch are done, as far as its length is known. */
  boolean isFull() {
    return length() > 0 && stepsInEpoch.get() >= length();
  }

  private long length() {
    return stepsOfLastEpoch > 0 ? stepsOfLastEpoch : plannedSteps;
  }

  /**
   * So many more are done.
   *
   * @return how many of them were not counted already
   */
  int ended(int epochs) {
    int more = Math.max(0, epochs - passesCounted);
    if (more > 0) {
      passesCounted = 0;
      areDone(more);
    }
    return more;
  }

  /**
   * Counts a pass whose end isn't told: it is over when the next step is one too many for it. The
   * very last is left to its end, since a wrong length must not make a pass too many.
   *
   * @param planned passes in all
   * @return whether one is over
   */
  boolean passIsOver(int planned) {
    boolean over = isFull() && done + 1 < planned;
    if (over) {
      passesCounted++;
      areDone(1);
    }
    return over;
  }

  private void areDone(int epochs) {
    long steps = stepsInEpoch.getAndSet(0);
    stepsOfEpochs.addAndGet(steps);
    stepsOfLastEpoch = steps / epochs;
    done += epochs;
  }
}
