package dev.waymark.dl4j;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ObjDoubleConsumer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.optimize.listeners.EvaluativeListener;
import org.deeplearning4j.optimize.solvers.BaseOptimizer;
import org.nd4j.evaluation.IEvaluation;

/** Reads what a network in training shows of itself, on the thread that trains it. */
final class ModelFigures {
  private static final PrivateField EVALUATIONS_MADE =
      PrivateField.of(EvaluativeListener.class, "invocationCount");

  private final DeviceMemory memory = DeviceMemory.ofBackend();

  /** How many evaluations of a listener have been told. */
  private final WeakIdentityMap<EvaluativeListener, AtomicLong> evaluationsTold =
      new WeakIdentityMap<>();

  /** Where a network or layer stands. */
  static Counters counters(Model model) {
    return new Counters(BaseOptimizer.getIterationCount(model), BaseOptimizer.getEpochCount(model));
  }

  /** Tells what is due of a network or layer that has made a step. */
  void tell(Due due, Model model, Figures training) {
    if (due != Due.NOTHING) {
      training.learningRate(LearningRate.of(model));
    }
    if (due == Due.ALL) {
      memory.tell(training::metric);
    }
  }

  /** Tells what a listener has evaluated since it was asked last. */
  void tellEvaluations(EvaluativeListener listener, ObjDoubleConsumer<String> metric) {
    Object made = EVALUATIONS_MADE.read(listener);
    if (!(made instanceof AtomicLong)) {
      return;
    }
    long count = ((AtomicLong) made).get();
    AtomicLong told = evaluationsTold.computeIfAbsent(listener, AtomicLong::new);
    if (told.getAndSet(count) != count) {
      for (IEvaluation<?> evaluation : listener.getEvaluations()) {
        EvaluationResults.tell("eval_", evaluation, metric);
      }
    }
  }
}
