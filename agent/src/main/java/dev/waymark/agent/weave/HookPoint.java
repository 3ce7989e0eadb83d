package dev.waymark.agent.weave;

import static dev.waymark.agent.weave.HookPoint.Moment.ENTRY;
import static dev.waymark.agent.weave.HookPoint.Moment.EXIT;
import static dev.waymark.agent.weave.HookPoint.Moment.RESULT;

/**
 * The places in DJL from which the listener is called: exact methods of exact classes, the same in
 * DJL 0.36.0 and 0.38.0. Names are internal ones, as in class files.
 */
public enum HookPoint {
  TRAINER_CREATED(
      "ai/djl/training/Trainer",
      "<init>",
      "(Lai/djl/Model;Lai/djl/training/TrainingConfig;)V",
      EXIT),
  LISTENERS_NOTIFIED(
      "ai/djl/training/Trainer", "notifyListeners", "(Ljava/util/function/Consumer;)V", EXIT),
  DATASET_ITERATED(
      "ai/djl/training/Trainer",
      "iterateDataset",
      "(Lai/djl/training/dataset/Dataset;)Ljava/lang/Iterable;",
      EXIT),
  STEPPED("ai/djl/training/Trainer", "step", "()V", EXIT),
  FIT_STARTED(
      "ai/djl/training/EasyTrain",
      "fit",
      "(Lai/djl/training/Trainer;ILai/djl/training/dataset/Dataset;Lai/djl/training/dataset/Dataset;)V",
      ENTRY),
  FIT_ENDED(
      "ai/djl/training/EasyTrain",
      "fit",
      "(Lai/djl/training/Trainer;ILai/djl/training/dataset/Dataset;Lai/djl/training/dataset/Dataset;)V",
      EXIT),
  PYTORCH_BACKWARD(
      "ai/djl/pytorch/engine/PtGradientCollector", "backward", "(Lai/djl/ndarray/NDArray;)V", EXIT),
  MXNET_BACKWARD(
      "ai/djl/mxnet/engine/MxGradientCollector", "backward", "(Lai/djl/ndarray/NDArray;)V", EXIT),
  GPUS_ASKED_FOR("ai/djl/util/cuda/CudaUtils", "execute", "(I)[Ljava/lang/String;", RESULT);

  /**
   * When a hook is called and with what. Arguments come as an array, the receiver first unless the
   * method is static.
   */
  enum Moment {
    /** Before the method's first instruction: (arguments, null). */
    ENTRY,
    /**
     * After the method, however it ends: (arguments, null) or (arguments, thrown). A constructor's
     * throw is not seen, since its receiver is no object yet.
     */
    EXIT,
    /**
     * After a normal return: (array of the result alone, null). The hook may replace the result.
     */
    RESULT
  }

  private final String owner;
  private final String method;
  private final String descriptor;
  private final Moment moment;

  HookPoint(String owner, String method, String descriptor, Moment moment) {
    this.owner = owner;
    this.method = method;
    this.descriptor = descriptor;
    this.moment = moment;
  }

  String owner() {
    return owner;
  }

  Moment moment() {
    return moment;
  }

  boolean isIn(String className) {
    return owner.equals(className);
  }

  boolean isMethod(String name, String methodDescriptor) {
    return method.equals(name) && descriptor.equals(methodDescriptor);
  }

  /** The method in the form of {@link DjlReferences}. */
  String reference() {
    return owner + ' ' + method + ' ' + descriptor;
  }

  /**
   * Whether DJL without this method is a DJL that the agent doesn't know. The engines' and the GPU
   * points only add to the reports.
   */
  boolean isRequired() {
    return owner.startsWith("ai/djl/training/");
  }
}
