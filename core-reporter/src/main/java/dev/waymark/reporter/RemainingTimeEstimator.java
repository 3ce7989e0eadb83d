package dev.waymark.reporter;

/**
 * Estimates how long the steps that are still to come will take, from the steps of this session.
 *
 * <p>The estimate has three parts, each of which a plain mean or a moving average gets wrong:
 *
 * <ul>
 *   <li>the step time: the mean since the last change of level. Steps are taken in blocks of ten;
 *       two blocks in a row that lie clearly off the level on the same side start a new one. So a
 *       slow warm-up is forgotten, a slow-down is noticed, and a single odd block is neither. The
 *       third change and each later one doubles the blocks: where the pace wavers, as that of quick
 *       steps does on a busy machine, its mean is soon the level.
 *   <li>announced pauses (evaluation, checkpoint): their mean length, times how often they will
 *       come again.
 *   <li>stalls that nobody announced: the time they have cost so far, spread over the steps, with a
 *       prior that keeps the first one from being taken for a rule.
 * </ul>
 *
 * <p>Time comes in as nanoseconds of a monotonic clock, so that the estimator itself is a pure
 * function of what it is told. A step is constant work and allocates nothing. Not thread-safe.
 */
public final class RemainingTimeEstimator {
  private static final int LEAST_STEPS = 3;
  private static final double LEAST_SECONDS = 2;

  private static final double STALL_RATIO = 10;
  private static final double STALL_SECONDS = 1;
  private static final double STALL_PRIOR = 0.25;

  private final Level level = new Level();
  private final Pauses pauses = new Pauses();
  private final long sessionBegan;

  private long steps;
  private double stallSeconds;

  /** End of the last step, moved on by the announced pauses since. */
  private long stepBegan;

  private boolean paused;
  private long pauseBegan;

  /**
   * @param nanos when the session begins, that is, its first step
   */
  public RemainingTimeEstimator(long nanos) {
    sessionBegan = nanos;
    stepBegan = nanos;
  }

  /**
   * A step has ended. If a pause was announced and its end was not, the step is taken to have
   * lasted as long as steps do at present, and the pause for the rest.
   */
  public void stepEnded(long nanos) {
    if (paused) {
      if (steps == 0) {
        // A pause before the first step can't be told from that step: neither says anything.
        paused = false;
        stepBegan = nanos;
        return;
      }
      long sincePauseBegan = nanos - pauseBegan;
      long usualStep = Math.round(level.seconds() * 1e9);
      pauseEnded(pauseBegan + Math.max(0, sincePauseBegan - usualStep));
    }
    double seconds = inSeconds(nanos - stepBegan);
    stepBegan = nanos;
    steps++;
    if (seconds > STALL_SECONDS && steps > LEAST_STEPS) {
      double usual = level.seconds();
      if (seconds > STALL_RATIO * usual) {
        stallSeconds += seconds - usual;
        seconds = usual;
      }
    }
    if (level.changedBy(seconds)) {
      stallSeconds = 0;
    }
  }

  /** An announced pause begins, or goes on. */
  public void pauseBegan(long nanos) {
    if (!paused) {
      paused = true;
      pauseBegan = nanos;
    }
  }

  /** The announced pause, if there is one, has ended. */
  public void pauseEnded(long nanos) {
    if (paused) {
      paused = false;
      stepBegan += nanos - pauseBegan;
      if (steps > 0) {
        pauses.add(steps, inSeconds(nanos - pauseBegan));
      }
    }
  }

  /**
   * Whether the session has lasted long enough for an estimate to mean something: 3 steps and 2 s.
   */
  public boolean isSettled(long nanos) {
    return steps >= LEAST_STEPS && inSeconds(nanos - sessionBegan) >= LEAST_SECONDS;
  }

  /**
   * The estimate as of the end of the last step.
   *
   * @param stepsToGo how many steps are still to come, 0 or more
   * @return seconds, 0 or more, however few steps there were; see {@link #isSettled}
   */
  public double seconds(long stepsToGo) {
    return stepsAndStalls(stepsToGo) + pauses.expectedSeconds(steps, stepsToGo);
  }

  /**
   * The estimate as of now: counted down through a pause, and through the step that is under way. A
   * pause can't use up the time of the steps to come, nor can one step that of the others.
   *
   * @param stepsToGo how many steps are still to come, 0 or more
   * @return seconds, 0 or more
   */
  public double secondsFromNow(long stepsToGo, long nanos) {
    double atStepEnd = seconds(stepsToGo);
    if (paused) {
      return Math.max(stepsAndStalls(stepsToGo), atStepEnd - inSeconds(nanos - pauseBegan));
    }
    return Math.max(0, atStepEnd - Math.min(level.seconds(), inSeconds(nanos - stepBegan)));
  }

  private double stepsAndStalls(long stepsToGo) {
    double sessionSteps = (double) steps + stepsToGo;
    double stallsPerStep =
        stallSeconds == 0 ? 0 : stallSeconds / (steps + STALL_PRIOR * sessionSteps);
    return (level.seconds() + stallsPerStep) * stepsToGo;
  }

  private static double inSeconds(long nanos) {
    return Math.max(0, nanos) / 1e9;
  }

  /** The step time at present: the mean since it last changed for good. */
  private static final class Level {
    private static final int LEAST_BLOCK_STEPS = 10;
    private static final int CHANGES_OF_A_STEADY_PACE = 2;
    private static final double LEAST_DEVIATION = Math.log(1.25);
    private static final double SIGMAS = 2.5;
    private static final int LEAST_BLOCKS_FOR_SIGMA = 4;

    /** A clock that stands still must not make a level of nothing, whose logarithm has no end. */
    private static final double LEAST_STEP_SECONDS = 1e-9;

    private double sum;
    private long count;

    private long blockSteps = LEAST_BLOCK_STEPS;
    private double block;
    private long blockCount;

    private int changes;

    /** A block that lies off the level and waits for the next one to confirm it. */
    private boolean holding;

    private double held;
    private double heldDeviation;

    private double squaredDeviations;
    private int deviations;

    double seconds() {
      if (holding) {
        return sum / count;
      }
      long all = count + blockCount;
      return all == 0 ? 0 : (sum + block) / all;
    }

    /** Takes in one step; true if the level is another one by it. */
    boolean changedBy(double stepSeconds) {
      block += stepSeconds;
      blockCount++;
      if (blockCount < blockSteps) {
        return false;
      }
      boolean changed = takeBlock();
      block = 0;
      blockCount = 0;
      return changed;
    }

    private boolean takeBlock() {
      if (count == 0) {
        accept(block);
        return false;
      }
      double deviation =
          Math.log(
              Math.max(LEAST_STEP_SECONDS, block / blockSteps)
                  / Math.max(LEAST_STEP_SECONDS, sum / count));
      if (Math.abs(deviation) <= Math.max(LEAST_DEVIATION, SIGMAS * sigma())) {
        acceptHeld();
        accept(block);
        squaredDeviations += deviation * deviation;
        deviations++;
        return false;
      }
      if (holding && deviation * heldDeviation > 0) {
        changeTo(held + block);
        return true;
      }
      acceptHeld();
      holding = true;
      held = block;
      heldDeviation = deviation;
      return false;
    }

    private void changeTo(double twoBlocksSeconds) {
      sum = twoBlocksSeconds;
      count = 2 * blockSteps;
      holding = false;
      squaredDeviations = 0;
      deviations = 0;
      if (++changes > CHANGES_OF_A_STEADY_PACE) {
        blockSteps *= 2;
      }
    }

    private void acceptHeld() {
      if (holding) {
        holding = false;
        accept(held);
      }
    }

    private void accept(double blockSeconds) {
      sum += blockSeconds;
      count += blockSteps;
    }

    private double sigma() {
      return deviations < LEAST_BLOCKS_FOR_SIGMA ? 0 : Math.sqrt(squaredDeviations / deviations);
    }
  }

  /** The announced pauses, and when the next ones are due. */
  private static final class Pauses {
    private static final int REMEMBERED = 8;

    private final double[] lengths = new double[REMEMBERED];
    private int count;
    private long lastStep;
    private long distance;

    /** Two pauses after the same step, an evaluation and a checkpoint, are one. */
    void add(long step, double seconds) {
      if (step == lastStep) {
        lengths[(count - 1) % REMEMBERED] += seconds;
        return;
      }
      lengths[count % REMEMBERED] = seconds;
      count++;
      distance = step - lastStep;
      lastStep = step;
    }

    double expectedSeconds(long step, long stepsToGo) {
      if (count == 0) {
        return 0;
      }
      long toCome = (step + stepsToGo - lastStep) / distance;
      int known = Math.min(count, REMEMBERED);
      double sum = 0;
      for (int i = 0; i < known; i++) {
        sum += lengths[i];
      }
      return sum / known * toCome;
    }
  }
}
