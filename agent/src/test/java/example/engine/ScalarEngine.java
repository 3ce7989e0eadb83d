package example.engine;

import ai.djl.BaseModel;
import ai.djl.Device;
import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.training.GradientCollector;
import ai.djl.training.ParameterServer;
import ai.djl.training.Trainer;
import ai.djl.training.TrainingConfig;
import ai.djl.training.optimizer.Optimizer;
import java.nio.file.Path;
import java.util.Map;

/**
 * A DJL engine in plain Java that can train one weight: enough for DJL's own Trainer and EasyTrain
 * to run unchanged, with no native library to unpack, in as many class loaders as a test wants.
 */
public final class ScalarEngine extends Engine {
  public static final String NAME = "Scalar";

  /** Of every training, whatever its optimizer says. */
  public static final float LEARNING_RATE = 0.05f;

  static final ScalarEngine INSTANCE = new ScalarEngine();

  private ScalarEngine() {}

  @Override
  public Engine getAlternativeEngine() {
    return null;
  }

  @Override
  public String getEngineName() {
    return NAME;
  }

  @Override
  public int getRank() {
    return 99;
  }

  @Override
  public String getVersion() {
    return "1";
  }

  @Override
  public boolean hasCapability(String capability) {
    return false;
  }

  @Override
  public Model newModel(String name, Device device) {
    return new ScalarModel(name);
  }

  @Override
  public NDManager newBaseManager() {
    return newBaseManager(Device.cpu());
  }

  @Override
  public NDManager newBaseManager(Device device) {
    return new ScalarManager(null, device);
  }

  @Override
  public GradientCollector newGradientCollector() {
    return new ScalarGradientCollector();
  }

  @Override
  public ParameterServer newParameterServer(Optimizer optimizer) {
    return new GradientDescent();
  }

  private final class ScalarModel extends BaseModel {
    ScalarModel(String name) {
      super(name);
      manager = newBaseManager();
      dataType = DataType.FLOAT32;
    }

    @Override
    public Trainer newTrainer(TrainingConfig config) {
      return new Trainer(this, config);
    }

    @Override
    public void load(Path path, String prefix, Map<String, ?> options) {
      throw new UnsupportedOperationException();
    }
  }

  private static final class GradientDescent implements ParameterServer {
    @Override
    public void init(String parameterId, NDArray[] value) {}

    @Override
    public void update(String parameterId, NDArray[] gradients, NDArray[] parameters) {
      float[] weight = ((ScalarArray) parameters[0]).values();
      float[] gradient = ((ScalarArray) gradients[0]).values();
      weight[0] -= LEARNING_RATE * gradient[0];
      gradient[0] = 0;
    }

    @Override
    public void close() {}
  }
}
