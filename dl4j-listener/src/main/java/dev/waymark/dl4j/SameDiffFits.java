package dev.waymark.dl4j;

import dev.waymark.reporter.Fault;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.nd4j.autodiff.listeners.At;
import org.nd4j.autodiff.listeners.Loss;
import org.nd4j.autodiff.listeners.records.EvaluationRecord;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.TrainingConfig;
import org.nd4j.autodiff.samediff.internal.TrainingSession;
import org.nd4j.evaluation.IEvaluation;

/**
 * Reports the {@link SameDiff} instances of a program that knows nothing of it: the agent calls it
 * from its hooks, which lie at the entry and exit of fit and of an iteration, and where the history
 * that SameDiff keeps of each fit is told of an epoch. No listener is put among the program's own.
 *
 * <p>Keeps no instance alive. Every method may be called from any thread, returns at once, and
 * never throws.
 */
public final class SameDiffFits {
  private final WeakIdentityMap<SameDiff, Training> trainings = new WeakIdentityMap<>();

  private final OfThread<SameDiffFit> innermost = new OfThread<>();

  private final SameDiffFigures figures = new SameDiffFigures();

  /** How many iterations, on all threads, are under way whose sessions are looked into. */
  private final AtomicInteger asking = new AtomicInteger();

  /** Creates it for one copy of ND4J. */
  public SameDiffFits() {}

  /** An instance's constructor has returned. */
  public void created(SameDiff instance) {
    Fault.guard(() -> trainingOf(instance));
  }

  /**
   * A call of fit has begun.
   *
   * @param iterator over the training data
   * @param countsEpochs false for the fit of a single batch
   * @param validation iterator over the validation data, null for none
   * @param validationFrequency every how many epochs that is evaluated, 0 or less for each
   */
  public void fitBegan(
      SameDiff instance,
      Object iterator,
      int epochs,
      boolean countsEpochs,
      Object validation,
      int validationFrequency) {
    Fault.guard(
        () -> {
          Training training = trainingOf(instance);
          FitPlan plan =
              countsEpochs ? FitPlan.epochs(epochs, IteratorLength.of(iterator)) : FitPlan.batch();
          training.run.fitBegan(plan, () -> counters(instance.getTrainingConfig()));
          int frequency = validation == null ? 0 : Math.max(1, validationFrequency);
          innermost.set(
              new SameDiffFit(
                  instance, training, countsEpochs ? epochs : 0, frequency, innermost.get()));
        });
  }

  /**
   * That call has ended.
   *
   * @param thrown null if it has returned
   */
  public void fitEnded(SameDiff instance, Throwable thrown) {
    Fault.guard(
        () -> {
          SameDiffFit fit = innermost.get();
          if (fit == null || !fit.isOf(instance)) {
            return;
          }
          innermost.set(fit.outer);
          asks(fit, false);
          fit.ended(thrown);
        });
  }

  /** An iteration has begun; the session makes it. */
  public void iterationBegan(
      TrainingSession session, Map<String, ?> placeholders, List<String> lossVariables) {
    try {
      SameDiffFit fit = innermost.get();
      if (fit != null) {
        PrunedLoss loss = fit.loss;
        loss.iterationBegan(session, lossVariables);
        if (!loss.isKnown()) {
          asks(fit, true);
        } else if (loss.isPruned() && fit.isLossDue()) {
          loss.want(placeholders);
          asks(fit, true);
        }
      }
    } catch (Throwable fault) {
      Fault.tell(fault);
    }
  }

  private void asks(SameDiffFit fit, boolean now) {
    if (fit.asks != now) {
      fit.asks = now;
      asking.addAndGet(now ? 1 : -1);
    }
  }

  /**
   * Whether {@link #outputBegan} and {@link #outputEnded} have anything to do, which is seldom so.
   */
  public boolean isAsking() {
    return asking.get() > 0;
  }

  /**
   * A session is about to compute variables; not only that of an iteration does.
   *
   * @param outputs the names of those that it puts out
   * @param required the names of those that it computes besides; may be null
   */
  public void outputBegan(Object session, List<String> outputs, Collection<String> required) {
    try {
      SameDiffFit fit = innermost.get();
      if (fit != null && session instanceof TrainingSession) {
        fit.loss.outputBegan(outputs, required);
      }
    } catch (Throwable fault) {
      Fault.tell(fault);
    }
  }

  /**
   * That session has ended.
   *
   * @param thrown null if it has computed what was required
   */
  public void outputEnded(Object session, Throwable thrown) {
    try {
      SameDiffFit fit = innermost.get();
      if (fit != null && thrown == null && session instanceof TrainingSession) {
        fit.loss.outputEnded((TrainingSession) session);
      }
    } catch (Throwable fault) {
      Fault.tell(fault);
    }
  }

  /**
   * The iteration is done, or has failed.
   *
   * @param loss what fit is told; null if the iteration has thrown
   * @param thrown null if it hasn't
   */
  public void iterationEnded(TrainingConfig config, At at, Loss loss, Throwable thrown) {
    try {
      SameDiffFit fit = innermost.get();
      if (fit != null) {
        asks(fit, false);
      }
      if (fit == null || (thrown != null && !ThrownByListener.isIn(thrown, "trainingIteration"))) {
        return;
      }
      fit.iterations++;
      Due due = fit.run.step(loss == null ? null : fit.loss.of(loss));
      figures.tell(due, at, config, fit.run);
    } catch (Throwable fault) {
      Fault.tell(fault);
    }
  }

  /**
   * All batches of an epoch are done. Told again if the program has a history of its own.
   *
   * @param onTrainingData what was evaluated on the way
   */
  public void epochEnded(At at, EvaluationRecord onTrainingData) {
    Fault.guard(
        () -> {
          SameDiffFit fit = innermost.get();
          if (fit != null && fit.lastEpoch != at.epoch()) {
            fit.lastEpoch = at.epoch();
            tell("train_", onTrainingData, fit.run);
            fit.epochEnded();
          }
        });
  }

  /** The validation after an epoch is done. */
  public void validated(EvaluationRecord onValidationData) {
    Fault.guard(
        () -> {
          SameDiffFit fit = innermost.get();
          if (fit != null) {
            tell("eval_", onValidationData, fit.run);
            fit.validated();
          }
        });
  }

  @SuppressWarnings("rawtypes")
  private static void tell(String prefix, EvaluationRecord record, FittedRun run) {
    for (List<IEvaluation> ofVariable : record.evaluations().values()) {
      for (IEvaluation<?> evaluation : ofVariable) {
        EvaluationResults.tell(prefix, evaluation, run::metric);
      }
    }
  }

  private static Counters counters(TrainingConfig config) {
    return config == null
        ? Counters.ZERO
        : new Counters(config.getIterationCount(), config.getEpochCount());
  }

  private Training trainingOf(SameDiff instance) {
    return trainings.computeIfAbsent(instance, Training::new);
  }

  /** What is known of an instance from one fit to the next. Doesn't refer to it. */
  private static final class Training {
    private final FittedRun run = new FittedRun("SameDiff");
    private final PrunedLoss loss = new PrunedLoss();
    private final LossSamples samples = new LossSamples(System::nanoTime);
  }

  /** One call of fit, on its thread. It may refer to its instance: it is forgotten when it ends. */
  private static final class SameDiffFit {
    private final SameDiff instance;
    private final FittedRun run;
    private final PrunedLoss loss;
    private final LossSamples samples;
    private final int epochs;
    private final int validationFrequency;
    private final SameDiffFit outer;
    private int epochsDone;
    private long iterations;

    /** By the instance's own count. */
    private int lastEpoch = -1;

    private boolean validating;

    /** Whether the session of the present iteration is looked into. */
    private boolean asks;

    /**
     * @param epochs that it is to make; 0 if it counts none
     * @param validationFrequency 0 if nothing is validated
     */
    SameDiffFit(
        SameDiff instance,
        Training training,
        int epochs,
        int validationFrequency,
        SameDiffFit outer) {
      this.instance = instance;
      this.run = training.run;
      this.loss = training.loss;
      this.samples = training.samples;
      this.epochs = epochs;
      this.validationFrequency = validationFrequency;
      this.outer = outer;
    }

    @SuppressWarnings("ReferenceEquality") // equals compares the whole graphs
    boolean isOf(SameDiff other) {
      return instance == other;
    }

    /**
     * Whether the present iteration is to be asked for a loss that would not be computed. As long
     * as iterations follow each other at once the clock needn't be read for that too.
     */
    boolean isLossDue() {
      boolean last = isLastOfMany();
      return (last || !run.isQuick()) && run.isReported() && samples.isDue(last);
    }

    /** In a fit of one iteration, which may be one of many, the last would be each. */
    private boolean isLastOfMany() {
      return iterations > 0 && epochsDone + 1 == epochs && run.isLastOfEpoch();
    }

    /** An epoch's validation is a part of it. */
    void epochEnded() {
      validating = validationFrequency > 0 && epochsDone % validationFrequency == 0;
      epochsDone++;
      if (validating) {
        run.evaluating();
      } else {
        run.epochsEnded(1);
      }
    }

    void validated() {
      if (validating) {
        validating = false;
        run.epochsEnded(1);
      }
    }

    /** A listener may have stopped it after fewer epochs. */
    void ended(Throwable thrown) {
      if (thrown == null) {
        validated();
      }
      if (thrown == null && epochsDone < epochs) {
        run.fitEnded(Outcome.STOPPED_EARLY, null);
      } else {
        run.fitEnded(thrown);
      }
    }
  }
}
