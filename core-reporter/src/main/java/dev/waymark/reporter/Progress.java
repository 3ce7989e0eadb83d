package dev.waymark.reporter;

/**
 * How far a run is, in steps and epochs, against what is planned.
 *
 * <p>Epochs end when the program says so. As long as it has said so of none, they follow from the
 * steps, where their length is known.
 *
 * <p>What the program tells is kept as told, since it may come late and in any order; what follows
 * from it is worked out when asked for. Not thread-safe.
 */
final class Progress {
  private static final long UNTOLD = -1;

  /** Whatever a program plans, a hundred times as much must not overflow. */
  private static final long MOST = 1L << 55;

  private final int epochsFromSettings;
  private int plannedEpochs;
  private long plannedStepsPerEpoch;
  private long plannedSteps;

  private long startStep = UNTOLD;
  private boolean startsWithEpoch;
  private int startEpochs = (int) UNTOLD;

  private long sessionSteps;
  private int epochsEnded = (int) UNTOLD;
  private long sessionStepsAtEpochEnd;
  private long learnedStepsPerEpoch;
  private boolean tellsEpochs;

  /** Steps before the session that were counted in what was told: none of them is taken back. */
  private long leastStepsBeforeSession;

  /**
   * @param epochsFromSettings wins over what the program plans; 0 if not set
   */
  Progress(int epochsFromSettings) {
    this.epochsFromSettings = epochsFromSettings;
  }

  void plan(int epochs, long stepsPerEpoch) {
    keepStepsBeforeSession();
    plannedEpochs = Math.max(0, epochs);
    plannedStepsPerEpoch = capped(stepsPerEpoch);
  }

  void planSteps(long total) {
    keepStepsBeforeSession();
    plannedSteps = capped(total);
  }

  void resumedAt(long step) {
    startStep = capped(step);
    startsWithEpoch = false;
  }

  /** Whatever was done of an epoch before is done anew. */
  void resumedBetweenEpochs(long step) {
    startStep = capped(step);
    startsWithEpoch = true;
  }

  void resumedAtEpoch(int epochsDone) {
    startEpochs = Math.max(0, epochsDone);
  }

  /** Epochs done before this session, 0 if none or unknown. */
  int epochsBefore() {
    return Math.max(0, startEpochs);
  }

  void stepEnded() {
    sessionSteps++;
  }

  /**
   * @return how many epochs more are done than before; 0 if that many were done already
   */
  int epochsEnded(int done) {
    int more = done - epochsTold();
    if (more <= 0) {
      return 0;
    }
    long stepsSince = stepsSinceEpochEnd();
    if (stepsSince > 0) {
      keepStepsBeforeSession();
      learnedStepsPerEpoch = Math.max(1, learnFrom(stepsSince, more, done));
    }
    epochsEnded = done;
    sessionStepsAtEpochEnd = sessionSteps;
    return more;
  }

  /** For who doesn't count: one epoch more is done than was told so far. */
  int epochEnded() {
    return epochsEnded(epochsTold() + 1);
  }

  /** Whether as long as no end of an epoch was told there was no second one. */
  void tellsEpochs(boolean every) {
    tellsEpochs = every;
  }

  /**
   * A session that was resumed at some step may have begun inside an epoch: only all steps tell
   * then.
   */
  private long learnFrom(long stepsSince, int more, int done) {
    boolean insideEpoch =
        epochsEnded == UNTOLD && startStep > 0 && !startsWithEpoch && stepsPerEpoch() == 0;
    return insideEpoch
        ? Math.round((double) currentStep() / done)
        : Math.round((double) stepsSince / more);
  }

  /** Steps done by now, those before a resume included. */
  long currentStep() {
    return stepsBeforeSession() + sessionSteps;
  }

  boolean hasSteps() {
    return sessionSteps > 0 || startStep > 0;
  }

  boolean hasSessionSteps() {
    return sessionSteps > 0;
  }

  boolean hasBegun() {
    return sessionSteps > 0 || epochsEnded != UNTOLD;
  }

  /** Steps planned in all, as far as is known; 0 if unknown. */
  long totalSteps() {
    if (steps() > 0) {
      return steps();
    }
    long toGo = stepsToGo();
    return toGo < 0 ? 0 : currentStep() + toGo;
  }

  /** Steps still to come; negative if unknown. */
  long stepsToGo() {
    if (steps() > 0) {
      return steps() - currentStep();
    }
    long perEpoch = stepsPerEpoch();
    if (epochs() == 0 || perEpoch == 0) {
      return UNTOLD;
    }
    if (epochsToGo() == 0) {
      return 0;
    }
    return capped(epochsToGo() - 1L, perEpoch) + Math.max(0, perEpoch - stepsInEpoch());
  }

  /**
   * Steps planned as such; 0 if none are, or if more are done: then the plan was wrong. Where
   * epochs are planned and their ends are told, these alone say how long the run is.
   */
  private long steps() {
    boolean goesByEpochs = epochsByPlan() > 0 && epochsEnded != UNTOLD;
    return goesByEpochs || currentStep() > plannedSteps ? 0 : plannedSteps;
  }

  /** Epochs planned in all; 0 if unknown, also once more is done: then the plan was wrong. */
  int epochs() {
    return isMoreDoneThanPlanned() ? 0 : epochsByPlan();
  }

  private boolean isMoreDoneThanPlanned() {
    if (plannedSteps > 0 && goesBySteps()) {
      return currentStep() > plannedSteps;
    }
    int done = epochsDone();
    int planned = epochsByPlan();
    return done > planned || (done == planned && stepsInEpoch() > 0);
  }

  private int epochsByPlan() {
    return epochsFromSettings > 0 ? epochsFromSettings : plannedEpochs;
  }

  /** Epochs that have not ended yet; 0 too if unknown. */
  int epochsToGo() {
    return Math.max(0, epochs() - epochsDone());
  }

  boolean hasEpochs() {
    return epochs() > 0 || epochsEnded != UNTOLD || startEpochs != UNTOLD;
  }

  /**
   * Epochs done by now with two decimals, rounded down, as far as the present one's length is
   * known.
   */
  double currentEpoch() {
    long perEpoch = stepsPerEpoch();
    long hundredths = perEpoch == 0 ? 0 : percent(Math.min(perEpoch, stepsInEpoch()), perEpoch);
    long all = epochsDone() * 100L + hundredths;
    boolean bounded = goesBySteps() && epochs() > 0;
    return (bounded ? Math.min(all, epochs() * 100L) : all) / 100.0;
  }

  /**
   * The part of the plan that is done, rounded down, 0 to 100; negative if nothing is planned, or
   * if nothing can be said before the first epoch has ended.
   */
  int percent() {
    if (steps() > 0 && (epochs() == 0 || goesBySteps())) {
      return percent(currentStep(), steps());
    }
    if (epochs() == 0) {
      return (int) UNTOLD;
    }
    long perEpoch = stepsPerEpoch();
    if (perEpoch == 0) {
      return epochsDone() == 0 ? (int) UNTOLD : percent(epochsDone(), epochs());
    }
    long inEpoch = Math.min(perEpoch, stepsInEpoch());
    return percent(capped(epochsDone(), perEpoch) + inEpoch, capped(epochs(), perEpoch));
  }

  /** Whether a plan is known, and which part of it is done. */
  boolean isPlanKnown() {
    return percent() >= 0;
  }

  /** Whether what is planned is known and reached; false if nothing is planned. */
  boolean isPlanDone() {
    return percent() == 100;
  }

  /** Whether less is done than planned, as far as that is known. */
  boolean isCutShort() {
    boolean isInLastOfUnknownLength =
        epochsToGo() == 1 && stepsPerEpoch() == 0 && stepsInEpoch() > 0;
    if (isInLastOfUnknownLength) {
      return false;
    }
    return isPlanKnown() ? !isPlanDone() : tellsEpochs && epochsToGo() > 1;
  }

  /** In whole numbers, since 100 * 0.29 is less than 29 in floating point. */
  private static int percent(long done, long planned) {
    return done >= planned ? 100 : (int) (done * 100 / planned);
  }

  int epochsDone() {
    long bySteps = goesBySteps() ? stepsSinceEpochEnd() / stepsPerEpoch() : 0;
    return (int) Math.min(Integer.MAX_VALUE, epochsTold() + bySteps);
  }

  /** Epochs whose end was told, and those before the session. */
  private int epochsTold() {
    if (epochsEnded != UNTOLD) {
      return epochsEnded;
    }
    if (startEpochs != UNTOLD) {
      return startEpochs;
    }
    long perEpoch = stepsPerEpoch();
    return startStep > 0 && perEpoch > 0
        ? (int) Math.min(Integer.MAX_VALUE, startStep / perEpoch)
        : 0;
  }

  /** Whether epochs follow from the steps, since no end of one was told. */
  private boolean goesBySteps() {
    return epochsEnded == UNTOLD && stepsPerEpoch() > 0;
  }

  private long stepsInEpoch() {
    return goesBySteps() ? stepsSinceEpochEnd() % stepsPerEpoch() : stepsSinceEpochEnd();
  }

  private long stepsSinceEpochEnd() {
    return sessionSteps - sessionStepsAtEpochEnd + stepsOfEpochBeforeSession();
  }

  private long stepsOfEpochBeforeSession() {
    long perEpoch = stepsPerEpoch();
    if (epochsEnded != UNTOLD || startStep <= 0 || startsWithEpoch || perEpoch == 0) {
      return 0;
    }
    long before = startStep - capped(epochsTold(), perEpoch);
    // Outside the epoch, step and epoch of the checkpoint don't fit the plan: count from the epoch.
    return before < 0 || before >= perEpoch ? 0 : before;
  }

  private long stepsBeforeSession() {
    if (startStep != UNTOLD) {
      return startStep;
    }
    long byEpochs = startEpochs == UNTOLD ? 0 : capped(startEpochs, stepsPerEpoch());
    return Math.max(leastStepsBeforeSession, byEpochs);
  }

  /** To be called before the length of an epoch changes: it may turn out to be shorter. */
  private void keepStepsBeforeSession() {
    if (hasSessionSteps()) {
      leastStepsBeforeSession = stepsBeforeSession();
    }
  }

  /**
   * The newest real epoch tells best, then the program, then the two plans together; 0 if unknown.
   */
  private long stepsPerEpoch() {
    if (learnedStepsPerEpoch > 0) {
      return learnedStepsPerEpoch;
    }
    if (plannedStepsPerEpoch > 0) {
      return plannedStepsPerEpoch;
    }
    int epochs = epochsByPlan();
    return epochs == 0 || plannedSteps == 0 ? 0 : Math.max(1, plannedSteps / epochs);
  }

  private static long capped(long a, long b) {
    return (double) a * b < MOST ? a * b : MOST;
  }

  private static long capped(long told) {
    return Math.min(MOST, Math.max(0, told));
  }
}
