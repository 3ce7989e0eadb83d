package dev.waymark.djl;

/**
 * How many steps an epoch has, as far as can be known.
 *
 * <p>{@code Batch.getProgressTotal()} counts records, so the first epoch's length is that total
 * over the largest batch seen (the last batch may be smaller). It is an estimate only: a {@code
 * RawDataset} gives 0 or anything, a sampler may drop the last batch or draw with replacement. From
 * the first epoch's end on the length is what was counted.
 */
final class EpochLength {
  private int largestBatch;
  private long estimate;
  private long counted;
  private long stepsInEpoch;

  /**
   * Takes note of a batch before its step is counted; sizes and totals of 0 or less say nothing.
   */
  void batch(long records, int batchSize) {
    largestBatch = Math.max(largestBatch, batchSize);
    estimate = records > 0 && largestBatch > 0 ? (records - 1) / largestBatch + 1 : 0;
  }

  void step() {
    stepsInEpoch++;
  }

  void epochEnded() {
    if (stepsInEpoch > 0) {
      counted = stepsInEpoch;
    }
    stepsInEpoch = 0;
  }

  /** Steps in an epoch, or 0 if unknown; an estimate that the epoch has outrun is none. */
  long steps() {
    if (counted > 0) {
      return counted;
    }
    return stepsInEpoch <= estimate ? estimate : 0;
  }
}
