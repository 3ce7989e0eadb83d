package example.dl4j;

import java.util.concurrent.TimeUnit;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.nd4j.linalg.dataset.DataSet;

/** Six batches that come at fixed times, as from a camera: however busy the machine is. */
final class PacedIterator extends ListDataSetIterator<DataSet> {
  private static final long serialVersionUID = 1L;

  private final long nanosBetween;
  private long nextAt = System.nanoTime();

  PacedIterator(long millisBetween) {
    super(Data.examples(), Data.BATCH);
    nanosBetween = TimeUnit.MILLISECONDS.toNanos(millisBetween);
  }

  @Override
  public synchronized DataSet next() {
    nextAt += nanosBetween;
    try {
      TimeUnit.NANOSECONDS.sleep(nextAt - System.nanoTime());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return super.next();
  }

  /** On the thread that trains: what is fetched before it is due comes too soon. */
  @Override
  public boolean asyncSupported() {
    return false;
  }
}
