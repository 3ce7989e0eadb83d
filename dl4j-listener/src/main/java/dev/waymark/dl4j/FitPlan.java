package dev.waymark.dl4j;

/** What one call of a fit method is to do, as far as that is known when it is made. Immutable. */
final class FitPlan {
  private enum Kind {
    EPOCHS,
    BATCH,
    PRETRAINING,
    UNTIL_STOPPED,
    NOTHING
  }

  private static final FitPlan BATCH = new FitPlan(Kind.BATCH, 0, 0);

  private final Kind kind;
  private final int epochs;
  private final long batchesPerEpoch;

  private FitPlan(Kind kind, int epochs, long batchesPerEpoch) {
    this.kind = kind;
    this.epochs = epochs;
    this.batchesPerEpoch = batchesPerEpoch;
  }

  /**
   * A fit over all the data.
   *
   * @param epochs how many times; a single one may be one of many calls in a loop, so it plans
   *     nothing
   * @param batchesPerEpoch 0 if unknown
   */
  static FitPlan epochs(int epochs, long batchesPerEpoch) {
    return new FitPlan(Kind.EPOCHS, epochs == 1 ? 0 : epochs, batchesPerEpoch);
  }

  /** A fit of one batch, which may be one of many calls in a loop. */
  static FitPlan batch() {
    return BATCH;
  }

  /**
   * Unsupervised training of one layer after the other.
   *
   * @param epochs passes over the data for each layer; a single one plans nothing, as above
   * @param layers how many layers are trained
   */
  static FitPlan pretraining(int epochs, int layers, long batchesPerEpoch) {
    Kind kind = epochs > 0 && layers > 0 ? Kind.PRETRAINING : Kind.NOTHING;
    return new FitPlan(kind, epochs == 1 ? 0 : epochs * layers, batchesPerEpoch);
  }

  /**
   * A fit that conditions of its own end.
   *
   * @param mostEpochs 0 if they don't limit the epochs
   */
  static FitPlan untilStopped(int mostEpochs, long batchesPerEpoch) {
    return new FitPlan(Kind.UNTIL_STOPPED, mostEpochs, batchesPerEpoch);
  }

  /** Whether anything is trained: a network may have no layer to pretrain. */
  boolean trains() {
    return kind != Kind.NOTHING;
  }

  /** Whether the ends of its passes over the data are told late: when a layer has had them all. */
  boolean isPretraining() {
    return kind == Kind.PRETRAINING;
  }

  /** Whether more calls may belong to the same training. */
  boolean isOpenEnded() {
    return epochs == 0 && kind != Kind.UNTIL_STOPPED;
  }

  /** Whether a call with the next plan goes on with what one with this plan has begun. */
  boolean isContinuedBy(FitPlan next) {
    return isOpenEnded() && next.isOpenEnded() && isPretraining() == next.isPretraining();
  }

  /** Whether a call with the next plan may make more of the epochs that the settings plan. */
  boolean sharesEpochsWith(FitPlan next) {
    return kind == Kind.EPOCHS && next.kind == Kind.EPOCHS;
  }

  boolean isBatch() {
    return kind == Kind.BATCH;
  }

  /**
   * Whether the model's counters tell where it starts from. Pretraining doesn't move them, and
   * early stopping counts epochs from 0 again (1.0.0-M2.1).
   */
  boolean goesByCounters() {
    return kind == Kind.EPOCHS || kind == Kind.BATCH;
  }

  /** Epochs that are planned, 0 if none are. */
  int epochs() {
    return epochs;
  }

  /** 0 if unknown. */
  long batchesPerEpoch() {
    return batchesPerEpoch;
  }
}
