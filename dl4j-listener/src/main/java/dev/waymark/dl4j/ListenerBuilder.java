package dev.waymark.dl4j;

import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Builds a listener that a program registers by hand, and which can be told how much is planned.
 *
 * @param <L> the listener
 */
public final class ListenerBuilder<L> {
  private final Function<Supplier<ListenedTraining>, L> listener;
  private int totalEpochs;
  private long batchesPerEpoch;

  /**
   * @param listener makes one that gets its trainings from there
   */
  ListenerBuilder(Function<Supplier<ListenedTraining>, L> listener) {
    this.listener = listener;
  }

  /**
   * Tells how many epochs the training has in all; those that a restored model has behind it count.
   * The setting {@code WAYMARK_EPOCHS} wins over it.
   *
   * @param totalEpochs 1 or more
   * @return this builder
   * @throws IllegalArgumentException if it is less than 1
   */
  public ListenerBuilder<L> totalEpochs(int totalEpochs) {
    this.totalEpochs = (int) positive("totalEpochs", totalEpochs);
    return this;
  }

  /**
   * Tells how many batches an epoch has, so that the progress is known from the first one on.
   *
   * @param batchesPerEpoch 1 or more
   * @return this builder
   * @throws IllegalArgumentException if it is less than 1
   */
  public ListenerBuilder<L> batchesPerEpoch(long batchesPerEpoch) {
    this.batchesPerEpoch = positive("batchesPerEpoch", batchesPerEpoch);
    return this;
  }

  /** Builds the listener. */
  public L build() {
    int epochs = totalEpochs;
    long batches = batchesPerEpoch;
    return listener.apply(() -> new ListenedTraining(epochs, batches));
  }

  private static long positive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be 1 or more, got " + value);
    }
    return value;
  }
}
