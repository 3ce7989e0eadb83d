package dev.waymark.benchmarks;

import org.nd4j.autodiff.listeners.At;
import org.nd4j.autodiff.listeners.BaseListener;
import org.nd4j.autodiff.listeners.Listener;
import org.nd4j.autodiff.listeners.ListenerResponse;
import org.nd4j.autodiff.listeners.Loss;
import org.nd4j.autodiff.listeners.Operation;
import org.nd4j.autodiff.listeners.records.LossCurve;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/** Measures what another listener of SameDiff takes with epochs and iterations. */
final class MeasuredListenerOfSameDiff extends BaseListener {
  private final Listener measured;

  MeasuredListenerOfSameDiff(Listener measured) {
    this.measured = measured;
  }

  @Override
  public boolean isActive(Operation operation) {
    return measured.isActive(operation);
  }

  @Override
  public void epochStart(SameDiff sd, At at) {
    Stopwatch.start();
    measured.epochStart(sd, at);
    Stopwatch.stop();
  }

  @Override
  public void iterationDone(SameDiff sd, At at, MultiDataSet dataSet, Loss loss) {
    Stopwatch.start();
    measured.iterationDone(sd, at, dataSet, loss);
    Stopwatch.stop();
  }

  @Override
  public ListenerResponse epochEnd(SameDiff sd, At at, LossCurve lossCurve, long epochTimeMillis) {
    Stopwatch.start();
    ListenerResponse response = measured.epochEnd(sd, at, lossCurve, epochTimeMillis);
    Stopwatch.stop();
    return response;
  }
}
