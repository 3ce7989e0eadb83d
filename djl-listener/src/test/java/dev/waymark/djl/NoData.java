package dev.waymark.djl;

import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Dataset;
import ai.djl.util.Progress;
import java.util.List;

/** A data set with no batches: for what is told by iterating it. */
final class NoData implements Dataset {
  @Override
  public Iterable<Batch> getData(NDManager manager) {
    return List.of();
  }

  @Override
  public void prepare(Progress progress) {}
}
