package dev.waymark.benchmarks.eta;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * Draws training sessions at random: resumed or not, with warm-up, noise, a change of speed,
 * announced evaluations, unannounced checkpoints and stalls, each by its chance. The same seed
 * gives the same sessions. No real program was recorded.
 */
final class SessionGenerator {
  private static final double LEAST_SECONDS = 60;
  private static final int[] EVALUATION_PERIODS = {25, 50, 100, 200};
  private static final int[] CHECKPOINT_PERIODS = {50, 100, 250};

  private final Random random;

  SessionGenerator(long seed) {
    random = new Random(seed);
  }

  /** The next session of at least a minute. */
  Session next() {
    Session session;
    do {
      session = draw();
    } while (session.end() < LEAST_SECONDS);
    return session;
  }

  private Session draw() {
    int total = between(300, 3000);
    int start = chance(1 / 3.0) ? between(1, total / 2) : 0;
    StepTimes stepTimes = new StepTimes(start, total);
    int evaluationPeriod = 0;
    double evaluationSeconds = 0;
    if (chance(1 / 2.0)) {
      evaluationPeriod = EVALUATION_PERIODS[random.nextInt(EVALUATION_PERIODS.length)];
      evaluationSeconds = stepTimes.usual * evaluationPeriod * uniform(0.1, 1.5);
    }

    double[] stepEnds = new double[total - start];
    double[] pauses = new double[total - start];
    double now = 0;
    for (int i = 0; i < total - start; i++) {
      int step = start + i + 1;
      now += stepTimes.of(step);
      stepEnds[i] = now;
      if (isDue(step, evaluationPeriod)) {
        pauses[i] = evaluationSeconds * uniform(0.9, 1.1);
        now += pauses[i];
      }
    }
    return new Session(start, stepEnds, pauses);
  }

  /** How long the steps of one session take, with everything that nobody announces. */
  private final class StepTimes {
    private final int start;
    private final double usual = Math.exp(uniform(Math.log(0.02), Math.log(1)));
    private final double sigma = uniform(0, 0.6);
    private final int warmUpSteps;
    private final double warmUpFactor;
    private final int changeStep;
    private final double changeFactor;
    private final int checkpointPeriod;
    private final double checkpointSeconds;
    private final Set<Integer> stalls = new HashSet<>();
    private final double stallSeconds;

    StepTimes(int start, int total) {
      this.start = start;
      boolean warmsUp = chance(1 / 2.0);
      warmUpSteps = warmsUp ? between(3, 40) : 0;
      warmUpFactor = warmsUp ? uniform(2, 15) : 1;
      boolean changes = chance(1 / 3.0);
      changeStep = changes ? between(start + 1, total) : Integer.MAX_VALUE;
      changeFactor = changes ? Math.exp(sign() * uniform(0.3, 1.2)) : 1;
      boolean saves = chance(1 / 3.0);
      checkpointPeriod = saves ? CHECKPOINT_PERIODS[random.nextInt(CHECKPOINT_PERIODS.length)] : 0;
      checkpointSeconds = saves ? usual * uniform(2, 30) : 0;
      boolean stallsAtTimes = chance(1 / 3.0);
      int count = stallsAtTimes ? between(1, 6) : 0;
      while (stalls.size() < count) {
        stalls.add(between(start + 1, total));
      }
      stallSeconds = stallsAtTimes ? usual * uniform(50, 400) : 0;
    }

    /** To be asked for each step once, in order. */
    double of(int step) {
      double seconds = usual * Math.exp(sigma * random.nextGaussian() - sigma * sigma / 2);
      if (step - start <= warmUpSteps) {
        seconds *= warmUpFactor;
      }
      if (step >= changeStep) {
        seconds *= changeFactor;
      }
      if (isDue(step - 1, checkpointPeriod)) {
        seconds += checkpointSeconds;
      }
      if (stalls.contains(step)) {
        seconds += stallSeconds * uniform(0.5, 1.5);
      }
      return seconds;
    }
  }

  private static boolean isDue(int step, int period) {
    return period > 0 && step > 0 && step % period == 0;
  }

  private boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  private int sign() {
    return random.nextBoolean() ? 1 : -1;
  }

  private double uniform(double from, double to) {
    return from + (to - from) * random.nextDouble();
  }

  /** Both ends included. */
  private int between(int from, int to) {
    return from + random.nextInt(to - from + 1);
  }
}
