package dev.waymark.agent.weave;

import static dev.waymark.agent.weave.Framework.DJL;
import static dev.waymark.agent.weave.Framework.DL4J;
import static dev.waymark.agent.weave.Framework.SAMEDIFF;
import static dev.waymark.agent.weave.HookPoint.Moment.ENTRY;
import static dev.waymark.agent.weave.HookPoint.Moment.EXIT;
import static dev.waymark.agent.weave.HookPoint.Moment.RESULT;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The places in the frameworks from which the listeners are called: exact methods of exact classes,
 * the same in DJL 0.36.0 and 0.38.0, and those of Deeplearning4j 1.0.0-M2.1. Methods that mean the
 * same are one place. Where one overload only calls another, the latter is hooked.
 */
@SuppressWarnings("ImmutableEnumChecker") // its list is immutable
public enum HookPoint {
  TRAINER_CREATED(
      DJL, EXIT, DjlMethods.trainer("<init>", "(Lai/djl/Model;Lai/djl/training/TrainingConfig;)V")),
  LISTENERS_NOTIFIED(
      DJL, EXIT, DjlMethods.trainer("notifyListeners", "(Ljava/util/function/Consumer;)V")),
  DATASET_ITERATED(
      DJL,
      EXIT,
      DjlMethods.trainer(
          "iterateDataset", "(Lai/djl/training/dataset/Dataset;)Ljava/lang/Iterable;")),
  GRADIENTS_COLLECTED(
      DJL,
      EXIT,
      DjlMethods.trainer("newGradientCollector", "()Lai/djl/training/GradientCollector;")),
  STEPPED(DJL, EXIT, DjlMethods.trainer("step", "()V")),
  FIT_STARTED(DJL, ENTRY, DjlMethods.FIT),
  FIT_ENDED(DJL, EXIT, DjlMethods.FIT),
  PYTORCH_BACKWARD(DJL, EXIT, DjlMethods.backward("ai/djl/pytorch/engine/PtGradientCollector")),
  MXNET_BACKWARD(DJL, EXIT, DjlMethods.backward("ai/djl/mxnet/engine/MxGradientCollector")),
  GPUS_ASKED_FOR(
      DJL,
      RESULT,
      new HookedMethod("ai/djl/util/cuda/CudaUtils", "execute", "(I)[Ljava/lang/String;")),

  NETWORK_CREATED(
      DL4J,
      EXIT,
      Dl4jMethods.network("<init>", "(Lorg/deeplearning4j/nn/conf/MultiLayerConfiguration;)V"),
      Dl4jMethods.graph("<init>", "(Lorg/deeplearning4j/nn/conf/ComputationGraphConfiguration;)V")),
  NETWORK_FIT_STARTED(DL4J, ENTRY, Dl4jMethods.FITS_OF_EPOCHS),
  NETWORK_FIT_ENDED(DL4J, EXIT, Dl4jMethods.FITS_OF_EPOCHS),
  NETWORK_EPOCH_STARTED(DL4J, ENTRY, Dl4jMethods.FITS_OF_ONE_EPOCH),
  NETWORK_EPOCH_ENDED(DL4J, EXIT, Dl4jMethods.FITS_OF_ONE_EPOCH),
  NETWORK_BATCH_STARTED(DL4J, ENTRY, Dl4jMethods.FITS_OF_ONE_BATCH),
  NETWORK_BATCH_ENDED(DL4J, EXIT, Dl4jMethods.FITS_OF_ONE_BATCH),
  PRETRAINING_STARTED(DL4J, ENTRY, Dl4jMethods.PRETRAININGS),
  PRETRAINING_ENDED(DL4J, EXIT, Dl4jMethods.PRETRAININGS),
  LAYER_STARTED(DL4J, ENTRY, Dl4jMethods.PRETRAININGS_OF_ONE_LAYER),
  LAYER_ENDED(DL4J, EXIT, Dl4jMethods.PRETRAININGS_OF_ONE_LAYER),
  /** After the program's listeners are told, before the counters go up. */
  ITERATION_DONE(
      DL4J,
      ENTRY,
      new HookedMethod(
          "org/deeplearning4j/optimize/solvers/BaseOptimizer",
          "incrementIterationCount",
          "(Lorg/deeplearning4j/nn/api/Model;I)V")),
  EARLY_STOPPING_STARTED(DL4J, ENTRY, Dl4jMethods.EARLY_STOPPINGS),
  EARLY_STOPPING_ENDED(DL4J, EXIT, Dl4jMethods.EARLY_STOPPINGS),
  EARLY_STOPPING_EPOCH(
      DL4J,
      ENTRY,
      new HookedMethod(
          Dl4jMethods.EARLY_STOPPING_TRAINER,
          "triggerEpochListeners",
          "(ZLorg/deeplearning4j/nn/api/Model;I)V")),
  PARALLEL_FIT_STARTED(DL4J, ENTRY, Dl4jMethods.PARALLEL_FITS),
  PARALLEL_FIT_ENDED(DL4J, EXIT, Dl4jMethods.PARALLEL_FITS),
  WORKER_STARTED(DL4J, ENTRY, Dl4jMethods.WORKER),
  WORKER_ENDED(DL4J, EXIT, Dl4jMethods.WORKER),
  EVALUATION_STARTED(DL4J, ENTRY, Dl4jMethods.NETWORK_EVALUATIONS),
  EVALUATION_ENDED(DL4J, EXIT, Dl4jMethods.NETWORK_EVALUATIONS),
  LISTENER_EVALUATED(
      DL4J,
      EXIT,
      new HookedMethod(
          "org/deeplearning4j/optimize/listeners/EvaluativeListener",
          "invokeListener",
          "(Lorg/deeplearning4j/nn/api/Model;)V")),

  SAMEDIFF_CREATED(SAMEDIFF, EXIT, new HookedMethod(SameDiffMethods.SAMEDIFF, "<init>", "()V")),
  SAMEDIFF_FIT_STARTED(SAMEDIFF, ENTRY, SameDiffMethods.FIT),
  SAMEDIFF_FIT_ENDED(SAMEDIFF, EXIT, SameDiffMethods.FIT),
  SAMEDIFF_ITERATION_STARTED(SAMEDIFF, ENTRY, SameDiffMethods.ITERATION),
  SAMEDIFF_ITERATION_ENDED(SAMEDIFF, EXIT, SameDiffMethods.ITERATION),
  SAMEDIFF_OUTPUT_STARTED(SAMEDIFF, ENTRY, SameDiffMethods.OUTPUT),
  SAMEDIFF_OUTPUT_ENDED(SAMEDIFF, EXIT, SameDiffMethods.OUTPUT),
  /** The history that every fit keeps is told. */
  SAMEDIFF_EPOCH_ENDED(
      SAMEDIFF,
      ENTRY,
      new HookedMethod(
          SameDiffMethods.HISTORY,
          "epochEndEvaluations",
          "("
              + SameDiffMethods.SAMEDIFF_AT
              + "Lorg/nd4j/autodiff/listeners/records/LossCurve;J"
              + SameDiffMethods.RECORD
              + ")"
              + SameDiffMethods.RESPONSE)),
  SAMEDIFF_VALIDATED(
      SAMEDIFF,
      ENTRY,
      new HookedMethod(
          SameDiffMethods.HISTORY,
          "validationDoneEvaluations",
          "("
              + SameDiffMethods.SAMEDIFF_AT
              + "J"
              + SameDiffMethods.RECORD
              + ")"
              + SameDiffMethods.RESPONSE));

  /**
   * When a hook is called and with what. Arguments come as an array, the receiver first unless the
   * method is static; numbers and truth values are boxed.
   */
  enum Moment {
    /** Before the method's first instruction: (arguments, null). */
    ENTRY,
    /**
     * After the method, however it ends: (arguments, thrown), null if nothing is. If the method
     * returns an object that is last among the arguments; null if it throws. A constructor's throw
     * is not seen, since its receiver is no object yet.
     */
    EXIT,
    /**
     * After a normal return: (array of the result alone, null). The hook may replace the result.
     */
    RESULT
  }

  private static final List<String> REQUIRED =
      List.of("ai/djl/training/", "org/deeplearning4j/", "org/nd4j/");

  private final Framework framework;
  private final Moment moment;
  private final List<HookedMethod> methods;

  HookPoint(Framework framework, Moment moment, HookedMethod... methods) {
    this.framework = framework;
    this.moment = moment;
    this.methods = List.of(methods);
  }

  Framework framework() {
    return framework;
  }

  Moment moment() {
    return moment;
  }

  List<HookedMethod> methods() {
    return methods;
  }

  /**
   * Whether a framework without this method is one that the agent doesn't know. Others are in jars
   * that a program may do without, or only add to the reports.
   */
  static boolean isRequired(HookedMethod method) {
    for (String required : REQUIRED) {
      if (method.owner().startsWith(required)) {
        return !method.owner().startsWith(Dl4jMethods.PARALLELISM);
      }
    }
    return false;
  }

  /** The classes that have required methods of a framework, by their names in class files. */
  static Set<String> requiredClasses(Framework framework) {
    return owners(framework, true);
  }

  /** All classes of a framework that have hooked methods, by their names in class files. */
  public static Set<String> hookedClasses(Framework framework) {
    return owners(framework, false);
  }

  private static Set<String> owners(Framework framework, boolean requiredOnly) {
    Set<String> classes = new LinkedHashSet<>();
    for (HookPoint point : values()) {
      for (HookedMethod method : point.methods) {
        if (point.framework == framework && (isRequired(method) || !requiredOnly)) {
          classes.add(method.owner());
        }
      }
    }
    return classes;
  }

  /** Those of DJL. */
  private static final class DjlMethods {
    static final HookedMethod FIT =
        new HookedMethod(
            "ai/djl/training/EasyTrain",
            "fit",
            "(Lai/djl/training/Trainer;ILai/djl/training/dataset/Dataset;"
                + "Lai/djl/training/dataset/Dataset;)V");

    static HookedMethod trainer(String name, String descriptor) {
      return new HookedMethod("ai/djl/training/Trainer", name, descriptor);
    }

    static HookedMethod backward(String gradientCollector) {
      return new HookedMethod(gradientCollector, "backward", "(Lai/djl/ndarray/NDArray;)V");
    }
  }

  /** Those of Deeplearning4j. */
  private static final class Dl4jMethods {
    static final String PARALLELISM = "org/deeplearning4j/parallelism/";
    static final String EARLY_STOPPING_TRAINER =
        "org/deeplearning4j/earlystopping/trainer/BaseEarlyStoppingTrainer";
    static final String DATA = "Lorg/nd4j/linalg/dataset/api/iterator/DataSetIterator;";
    static final String MULTI_DATA = "Lorg/nd4j/linalg/dataset/api/iterator/MultiDataSetIterator;";
    static final String ARRAY = "Lorg/nd4j/linalg/api/ndarray/INDArray;";
    static final String EVALUATIONS = "[Lorg/nd4j/evaluation/IEvaluation;";
    static final String RESULT = "Lorg/deeplearning4j/earlystopping/EarlyStoppingResult;";

    static final HookedMethod[] FITS_OF_EPOCHS = {
      network("fit", "(" + DATA + "I)V"),
      network("fit", "(" + MULTI_DATA + "I)V"),
      graph("fit", "(" + DATA + "I)V"),
      graph("fit", "(" + MULTI_DATA + "I)V")
    };
    static final HookedMethod[] FITS_OF_ONE_EPOCH = {
      network("fit", "(" + DATA + ")V"), graph("fit", "(" + MULTI_DATA + ")V")
    };
    static final HookedMethod[] FITS_OF_ONE_BATCH = {
      network("fit", "(" + ARRAY.repeat(4) + ")V"),
      network("pretrainLayer", "(I" + ARRAY + ")V"),
      graph("fit", "(" + ("[" + ARRAY).repeat(4) + ")V")
    };
    static final HookedMethod[] PRETRAININGS = {
      network("pretrain", "(" + DATA + "I)V"), graph("pretrain", "(" + MULTI_DATA + "I)V")
    };
    static final HookedMethod[] PRETRAININGS_OF_ONE_LAYER = {
      network("pretrainLayer", "(I" + DATA + "I)V"),
      graph("pretrainLayerHelper", "(Ljava/lang/String;" + MULTI_DATA + "I)V")
    };
    static final HookedMethod[] EARLY_STOPPINGS = {
      new HookedMethod(EARLY_STOPPING_TRAINER, "fit", "(Z)" + RESULT),
      new HookedMethod(PARALLELISM + "EarlyStoppingParallelTrainer", "fit", "()" + RESULT)
    };
    static final HookedMethod[] PARALLEL_FITS = {
      new HookedMethod(PARALLELISM + "ParallelWrapper", "fit", "(" + DATA + ")V"),
      new HookedMethod(PARALLELISM + "ParallelWrapper", "fit", "(" + MULTI_DATA + ")V")
    };
    static final HookedMethod[] NETWORK_EVALUATIONS = {
      network("doEvaluation", "(" + DATA + EVALUATIONS + ")" + EVALUATIONS),
      graph("doEvaluation", "(" + MULTI_DATA + EVALUATIONS + ")" + EVALUATIONS),
      graph("evaluate", "(" + MULTI_DATA + "Ljava/util/Map;)Ljava/util/Map;")
    };
    static final HookedMethod WORKER =
        new HookedMethod(PARALLELISM + "trainer/DefaultTrainer", "run", "()V");

    static HookedMethod network(String name, String descriptor) {
      return new HookedMethod(
          "org/deeplearning4j/nn/multilayer/MultiLayerNetwork", name, descriptor);
    }

    static HookedMethod graph(String name, String descriptor) {
      return new HookedMethod("org/deeplearning4j/nn/graph/ComputationGraph", name, descriptor);
    }
  }

  /** Those of SameDiff. */
  private static final class SameDiffMethods {
    static final String SAMEDIFF = "org/nd4j/autodiff/samediff/SameDiff";
    static final String SESSIONS = "org/nd4j/autodiff/samediff/internal/";
    static final String LISTENERS = "org/nd4j/autodiff/listeners/";
    static final String HISTORY = LISTENERS + "impl/HistoryListener";
    static final String AT = "L" + LISTENERS + "At;";
    static final String SAMEDIFF_AT = "L" + SAMEDIFF + ";" + AT;
    static final String RECORD = "L" + LISTENERS + "records/EvaluationRecord;";
    static final String RESPONSE = "L" + LISTENERS + "ListenerResponse;";
    static final String BATCH = "Lorg/nd4j/linalg/dataset/api/MultiDataSet;";
    static final String LIST = "Ljava/util/List;";
    static final String MAP = "Ljava/util/Map;";

    static final HookedMethod FIT =
        new HookedMethod(
            SAMEDIFF,
            "fitHelper",
            "("
                + Dl4jMethods.MULTI_DATA
                + "IZ"
                + Dl4jMethods.MULTI_DATA
                + "I"
                + LIST
                + ")L"
                + LISTENERS
                + "records/History;");
    static final HookedMethod ITERATION =
        new HookedMethod(
            SESSIONS + "TrainingSession",
            "trainingIteration",
            "(Lorg/nd4j/autodiff/samediff/TrainingConfig;"
                + MAP
                + "Ljava/util/Set;"
                + MAP
                + BATCH
                + LIST
                + LIST
                + AT
                + ")L"
                + LISTENERS
                + "Loss;");
    static final HookedMethod OUTPUT =
        new HookedMethod(
            SESSIONS + "AbstractSession",
            "output",
            "(" + LIST + MAP + BATCH + "Ljava/util/Collection;" + LIST + AT + ")" + MAP);
  }
}
