package example.dl4j;

import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.optimize.api.BaseTrainingListener;

/** A listener with a defect. */
final class ThrowingAt extends BaseTrainingListener {
  private final int iteration;

  ThrowingAt(int iteration) {
    this.iteration = iteration;
  }

  @Override
  public void iterationDone(Model model, int now, int epoch) {
    if (now == iteration) {
      throw new IllegalStateException("thrown at " + now);
    }
  }
}
