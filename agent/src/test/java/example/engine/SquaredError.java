package example.engine;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.training.loss.Loss;

/** The mean of {@code (prediction - label)^2}. */
public final class SquaredError extends Loss {
  public SquaredError() {
    super("SquaredError");
  }

  @Override
  public NDArray evaluate(NDList labels, NDList predictions) {
    ScalarArray prediction = (ScalarArray) predictions.head();
    float[] label = ((ScalarArray) labels.head()).values();
    float[] gradient = new float[label.length];
    float loss = 0;
    for (int i = 0; i < label.length; i++) {
      float error = prediction.values()[i] - label[i];
      loss += error * error / label.length;
      gradient[i] = 2 * error / label.length;
    }
    return ((ScalarManager) prediction.getManager())
        .array(loss)
        .onBackward(ignored -> prediction.backward(gradient));
  }
}
