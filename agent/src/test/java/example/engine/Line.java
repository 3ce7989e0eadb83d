package example.engine;

import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.AbstractBlock;
import ai.djl.nn.Parameter;
import ai.djl.training.ParameterStore;
import ai.djl.training.initializer.Initializer;
import ai.djl.util.PairList;

/** The model {@code y = weight * x}. */
public final class Line extends AbstractBlock {
  private final Parameter weight =
      addParameter(
          Parameter.builder()
              .setName("weight")
              .setType(Parameter.Type.WEIGHT)
              .optShape(new Shape(1))
              .optInitializer(Initializer.ZEROS)
              .build());

  /** The weight, as the training has left it. */
  public float weight() {
    return ((ScalarArray) weight.getArray()).values()[0];
  }

  @Override
  protected NDList forwardInternal(
      ParameterStore parameters,
      NDList inputs,
      boolean training,
      PairList<String, Object> arguments) {
    ScalarArray x = (ScalarArray) inputs.head();
    ScalarArray w = (ScalarArray) parameters.getValue(weight, x.getDevice(), training);
    float[] y = new float[x.values().length];
    for (int i = 0; i < y.length; i++) {
      y[i] = w.values()[0] * x.values()[i];
    }
    return new NDList(
        ((ScalarManager) x.getManager())
            .array(y)
            .onBackward(
                outputGradient -> {
                  for (int i = 0; i < y.length; i++) {
                    w.getGradient().values()[0] += outputGradient[i] * x.values()[i];
                  }
                }));
  }

  @Override
  protected void initializeChildBlocks(NDManager manager, DataType type, Shape... shapes) {}

  @Override
  public Shape[] getOutputShapes(Shape[] inputShapes) {
    return inputShapes;
  }
}
