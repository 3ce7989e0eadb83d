package example.engine;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.BaseNDManager;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

final class ScalarManager extends BaseNDManager {
  ScalarManager(NDManager parent, Device device) {
    super(parent, device);
  }

  @Override
  public Engine getEngine() {
    return ScalarEngine.INSTANCE;
  }

  @Override
  public NDManager newSubManager(Device device) {
    ScalarManager sub = new ScalarManager(this, device);
    attachUncappedInternal(sub.uid, sub);
    return sub;
  }

  @Override
  public NDArray create(Buffer data, Shape shape, DataType dataType) {
    float[] values = new float[data.remaining()];
    ((FloatBuffer) data).get(values);
    return array(values);
  }

  @Override
  public NDArray create(float[] values) {
    return array(values.clone());
  }

  @Override
  public NDArray zeros(Shape shape, DataType dataType) {
    return array(new float[(int) shape.size()]);
  }

  ScalarArray array(float... values) {
    ScalarArray array = new ScalarArray(this, values);
    attachInternal(array.getUid(), array);
    return array;
  }

  @Override
  public NDArray from(NDArray array) {
    return array;
  }

  @Override
  public ByteBuffer allocateDirect(int capacity) {
    return ByteBuffer.allocateDirect(capacity);
  }
}
