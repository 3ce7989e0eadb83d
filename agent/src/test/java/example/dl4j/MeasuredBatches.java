package example.dl4j;

import java.lang.management.ManagementFactory;
import java.util.Collections;
import org.bytedeco.javacpp.Pointer;
import org.deeplearning4j.datasets.iterator.ExistingDataSetIterator;
import org.nd4j.linalg.dataset.DataSet;

/**
 * The same batch again and again. When a third of them is given, when two thirds are, and before
 * the last, it measures the heap and the whole process, and in the end prints both. The heap has
 * all its memory from the beginning, so what the process gets more of lies off the heap: all arrays
 * do.
 */
final class MeasuredBatches extends ExistingDataSetIterator {
  private static final long serialVersionUID = 1L;

  private static final DataSet BATCH = Data.batches().get(0);

  /**
   * What is off the heap goes with what refers to it, so that it never piles up far. It piles up
   * much further before the first measurement than after it: the map in which ND4J has an entry for
   * each array grows with the pile, which is higher on a busy machine, and never shrinks
   * (1.0.0-M2.1).
   */
  private static final int BETWEEN_COLLECTIONS_AT_FIRST = 4_000;

  private static final int BETWEEN_COLLECTIONS = 200;

  private final String what;
  private final int iterations;
  private int given;
  private final long[] heap = new long[3];
  private final long[] process = new long[3];
  private int measured;

  MeasuredBatches(String what, int iterations) {
    super(Collections.nCopies(iterations, BATCH));
    this.what = what;
    this.iterations = iterations;
  }

  @Override
  public DataSet next() {
    given++;
    boolean atFirst = given < iterations / 3;
    if (given == iterations / 3 || given == 2 * (iterations / 3) || given == iterations) {
      heap[measured] = settledHeap();
      process[measured++] = Pointer.physicalBytes();
    } else if (given % (atFirst ? BETWEEN_COLLECTIONS_AT_FIRST : BETWEEN_COLLECTIONS) == 0) {
      System.gc();
    }
    if (given == iterations) {
      System.out.printf(
          "heap %d, %d, %d, process %d, %d, %d: %s%n",
          heap[0], heap[1], heap[2], process[0], process[1], process[2], what);
    }
    return super.next();
  }

  /** On the thread that trains. */
  @Override
  public boolean asyncSupported() {
    return false;
  }

  /** A thread of ND4J's forgets what belonged to an array some time after that is collected. */
  private static long settledHeap() {
    long least = Long.MAX_VALUE;
    for (int steady = 0; steady < 5; steady++) {
      System.gc();
      long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      if (used < least - (32 << 10)) {
        steady = 0;
      }
      least = Math.min(least, used);
      pause();
    }
    return least;
  }

  private static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
