package dev.waymark.benchmarks.eta;

import java.util.Arrays;

/**
 * A training session as its clock saw it: when each step ended, and what pause was announced after
 * it.
 *
 * @param startStep steps done before this session
 * @param stepEnds seconds since the session began at which its steps ended
 * @param pauses seconds of the announced pause that follows each step, 0 for none
 */
record Session(int startStep, double[] stepEnds, double[] pauses) {
  int steps() {
    return stepEnds.length;
  }

  /** When everything is over, a last pause included. */
  double end() {
    return stepEnds[steps() - 1] + pauses[steps() - 1];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Session session
        && startStep == session.startStep
        && Arrays.equals(stepEnds, session.stepEnds)
        && Arrays.equals(pauses, session.pauses);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(
        new int[] {startStep, Arrays.hashCode(stepEnds), Arrays.hashCode(pauses)});
  }

  @Override
  public String toString() {
    return steps() + " steps from " + startStep + ", " + end() + " s";
  }
}
