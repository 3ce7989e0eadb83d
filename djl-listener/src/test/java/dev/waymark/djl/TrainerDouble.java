package dev.waymark.djl;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.Trainer;
import ai.djl.training.TrainingConfig;
import ai.djl.training.dataset.Batch;
import ai.djl.training.listener.TrainingListener;
import ai.djl.training.listener.TrainingListener.BatchData;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** DJL's own Trainer over an engine that has no arrays: for what goes on around the arithmetic. */
final class TrainerDouble {
  private TrainerDouble() {}

  static Trainer of(String model, TrainingListener... listeners) {
    return of(model, Optimizer.adam().build(), listeners);
  }

  static Trainer of(String model, Optimizer optimizer, TrainingListener... listeners) {
    return of(model, Loss.softmaxCrossEntropyLoss(), optimizer, listeners);
  }

  static Trainer of(String model, Loss loss) {
    return of(model, loss, Optimizer.adam().build());
  }

  private static Trainer of(
      String model, Loss loss, Optimizer optimizer, TrainingListener... listeners) {
    TrainingConfig config =
        new DefaultTrainingConfig(loss)
            .optDevices(new Device[] {Device.cpu()})
            .optOptimizer(optimizer)
            .addTrainingListeners(listeners);
    return new Trainer(model(model), config);
  }

  /** A batch as listeners get it, with no data. */
  static BatchData batch(int size, long progressTotal) {
    return batchData(
        new Batch(manager(), new NDList(), new NDList(), size, null, null, size, progressTotal));
  }

  /**
   * What listeners get from DJL 0.36 where several devices are not done yet: nothing is filled in.
   */
  static BatchData batchData(Batch batch) {
    return new BatchData(batch, new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
  }

  /** A batch on one device, which DJL's listeners can measure. */
  static BatchData measuredBatch() {
    BatchData batch = batch(32, 32);
    batch.getLabels().put(Device.cpu(), new NDList());
    return batch;
  }

  /** A loss of one number, as it is given to {@code backward}. */
  static NDArray scalar(float value) {
    return proxy(
        NDArray.class, Map.of("size", 1L, "getDataType", DataType.FLOAT32, "getFloat", value));
  }

  private static Model model(String name) {
    return proxy(Model.class, Map.of("getName", name, "getNDManager", manager()));
  }

  private static NDManager manager() {
    Map<String, Object> answers = new ConcurrentHashMap<>();
    answers.put("getEngine", new NoEngine());
    answers.put("getDevice", Device.cpu());
    NDManager manager = proxy(NDManager.class, answers);
    answers.put("newSubManager", manager);
    answers.put("isOpen", false);
    return manager;
  }

  /** Answers by the method's name, or null. */
  private static <T> T proxy(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> answers.get(method.getName())));
  }

  private static final class NoEngine extends Engine {
    @Override
    public Engine getAlternativeEngine() {
      return null;
    }

    @Override
    public String getEngineName() {
      return "none";
    }

    @Override
    public int getRank() {
      return 100;
    }

    @Override
    public String getVersion() {
      return "0";
    }

    @Override
    public boolean hasCapability(String capability) {
      return false;
    }

    @Override
    public Model newModel(String name, Device device) {
      throw new UnsupportedOperationException();
    }

    @Override
    public NDManager newBaseManager() {
      throw new UnsupportedOperationException();
    }

    @Override
    public NDManager newBaseManager(Device device) {
      throw new UnsupportedOperationException();
    }
  }
}
