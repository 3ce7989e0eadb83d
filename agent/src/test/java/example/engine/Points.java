package example.engine;

import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Dataset;
import ai.djl.translate.StackBatchifier;
import ai.djl.util.Progress;
import java.util.Iterator;

/** Points on the line {@code y = slope * x}, in batches of the same size. */
public final class Points implements Dataset {
  public static final int BATCH_SIZE = 8;

  private final int batches;
  private final float slope;

  public Points(int batches, float slope) {
    this.batches = batches;
    this.slope = slope;
  }

  @Override
  public Iterable<Batch> getData(NDManager manager) {
    return () ->
        new Iterator<>() {
          private int next;

          @Override
          public boolean hasNext() {
            return next < batches;
          }

          @Override
          public Batch next() {
            return batch((ScalarManager) manager.newSubManager(), next++);
          }
        };
  }

  private Batch batch(ScalarManager manager, int number) {
    float[] x = new float[BATCH_SIZE];
    float[] y = new float[BATCH_SIZE];
    for (int i = 0; i < BATCH_SIZE; i++) {
      x[i] = (number * BATCH_SIZE + i) % 7 / 7f;
      y[i] = slope * x[i];
    }
    return new Batch(
        manager,
        new NDList(manager.array(x)),
        new NDList(manager.array(y)),
        BATCH_SIZE,
        new StackBatchifier(),
        new StackBatchifier(),
        (number + 1L) * BATCH_SIZE,
        (long) batches * BATCH_SIZE);
  }

  @Override
  public void prepare(Progress progress) {}
}
