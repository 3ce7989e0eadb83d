package dev.waymark.benchmarks.eta;

import dev.waymark.reporter.RemainingTimeEstimator;

/**
 * How far an estimate of the remaining time is off over a session: the mean of |estimate - truth| /
 * truth in percent, over the step ends after the first 5 % of the session's steps that have at
 * least 5 s before them, the estimate rounded to whole seconds.
 */
final class EtaError {
  private static final double FIRST_PART = 0.05;
  private static final double LEAST_TRUTH = 5;

  private EtaError() {}

  /** Of Waymark's estimator, which is told of steps and announced pauses. */
  static double ofWaymark(Session session) {
    RemainingTimeEstimator estimator = new RemainingTimeEstimator(0);
    Mean error = new Mean(session);
    for (int i = 0; i < session.steps(); i++) {
      double now = session.stepEnds()[i];
      estimator.stepEnded(nanos(now));
      error.add(i, Math.rint(estimator.seconds(session.steps() - i - 1L)));
      if (session.pauses()[i] > 0) {
        estimator.pauseBegan(nanos(now));
        estimator.pauseEnded(nanos(now + session.pauses()[i]));
      }
    }
    return error.percent();
  }

  /**
   * Of the formula of Hugging Face's KubeflowCallback (transformers 5.18.0): session time / global
   * step x remaining steps, cut to whole seconds.
   */
  static double ofHuggingFace(Session session) {
    Mean error = new Mean(session);
    for (int i = 0; i < session.steps(); i++) {
      int globalStep = session.startStep() + i + 1;
      error.add(i, Math.floor(session.stepEnds()[i] / globalStep * (session.steps() - i - 1)));
    }
    return error.percent();
  }

  private static long nanos(double seconds) {
    return Math.round(seconds * 1e9);
  }

  private static final class Mean {
    private final Session session;
    private double sum;
    private int count;

    Mean(Session session) {
      this.session = session;
    }

    void add(int index, double estimate) {
      double truth = session.end() - session.stepEnds()[index];
      if (index + 1 > (int) (FIRST_PART * session.steps()) && truth >= LEAST_TRUTH) {
        sum += Math.abs(estimate - truth) / truth;
        count++;
      }
    }

    double percent() {
      return 100 * sum / count;
    }
  }
}
