package example.engine;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrayAdapter;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.internal.NDArrayEx;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** A vector of floats that remembers how a gradient goes back to what it was computed from. */
final class ScalarArray extends NDArrayAdapter {
  private final float[] values;
  private ScalarArray gradient;
  private Consumer<float[]> backward = outputGradient -> {};

  ScalarArray(NDManager manager, float... values) {
    super(manager, null, new Shape(values.length), DataType.FLOAT32, NDManager.nextUid());
    this.values = values;
  }

  float[] values() {
    return values;
  }

  ScalarArray onBackward(Consumer<float[]> action) {
    backward = action;
    return this;
  }

  void backward(float[] outputGradient) {
    backward.accept(outputGradient);
  }

  @Override
  public float getFloat(long... indices) {
    return values[0];
  }

  @Override
  public NDArray mean() {
    return scalar(total() / values.length);
  }

  @Override
  public NDArray sum() {
    return scalar(total());
  }

  private float total() {
    float total = 0;
    for (float value : values) {
      total += value;
    }
    return total;
  }

  private ScalarArray scalar(float value) {
    return ((ScalarManager) getManager()).array(value);
  }

  @Override
  public void setRequiresGradient(boolean requiresGradient) {
    gradient = requiresGradient ? new ScalarArray(getManager(), new float[values.length]) : null;
  }

  @Override
  public boolean hasGradient() {
    return gradient != null;
  }

  @Override
  public ScalarArray getGradient() {
    return gradient;
  }

  /** Trainer's first step stacks the gradients' sums, to see that they aren't all zero (0.36.0). */
  @Override
  public NDArrayEx getNDArrayInternal() {
    return (NDArrayEx)
        Proxy.newProxyInstance(
            NDArrayEx.class.getClassLoader(),
            new Class<?>[] {NDArrayEx.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("stack") && ((NDList) arguments[0]).isEmpty()) {
                return this;
              }
              throw new UnsupportedOperationException(method.toString());
            });
  }

  @Override
  public NDArray duplicate() {
    return ((ScalarManager) getManager()).array(values.clone());
  }

  @Override
  public void detach() {
    manager.detachInternal(getUid());
  }

  @Override
  public void intern(NDArray replaced) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ByteBuffer toByteBuffer(boolean tryDirect) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    manager.detachInternal(getUid());
  }
}
