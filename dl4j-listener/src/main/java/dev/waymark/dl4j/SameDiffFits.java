package dev.waymark.dl4j;

import dev.waymark.reporter.Fault;
import dev.waymark.reporter.TrainingRun;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
  private final WeakIdentityMap<SameDiff, FittedRun> runs = new WeakIdentityMap<>();

  @SuppressWarnings("ThreadLocalUsage") // one for each copy of ND4J, and empty after fit
  private final ThreadLocal<SameDiffFit> innermost = new ThreadLocal<>();

  private final DeviceMemory memory = DeviceMemory.ofBackend();

  /** Creates it for one copy of ND4J. */
  public SameDiffFits() {}

  /** An instance's constructor has returned. */
  public void created(SameDiff instance) {
    Fault.guard(() -> runOf(instance));
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
          FittedRun run = runOf(instance);
          int frequency = validation == null ? 0 : Math.max(1, validationFrequency);
          innermost.set(
              new SameDiffFit(
                  instance, run, countsEpochs ? epochs : 0, frequency, innermost.get()));
          FitPlan plan =
              countsEpochs ? FitPlan.epochs(epochs, IteratorLength.of(iterator)) : FitPlan.batch();
          run.fitBegan(plan, () -> counters(instance.getTrainingConfig()));
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
          if (fit.outer == null) {
            innermost.remove();
          } else {
            innermost.set(fit.outer);
          }
          fit.ended(thrown);
        });
  }

  /**
   * An iteration has begun.
   *
   * @param session the {@code TrainingSession} that makes it
   */
  public void iterationBegan(
      Object session, Map<String, ?> placeholders, List<String> lossVariables) {
    Fault.guard(
        () -> {
          SameDiffFit fit = innermost.get();
          if (fit != null) {
            fit.loss.iterationBegan(lossVariables, placeholders, session);
            fit.sampled = fit.loss.canAsk() && fit.isSampleDue();
          }
        });
  }

  /**
   * A session is about to compute what is required; not only that of an iteration does.
   *
   * @param required names of variables
   */
  public void outputBegan(Object session, Collection<String> required) {
    Fault.guard(
        () -> {
          SameDiffFit fit = innermost.get();
          if (fit != null && fit.sampled && session instanceof TrainingSession) {
            fit.loss.askFor(required);
          }
        });
  }

  /** That session has computed it. */
  public void outputEnded(Object session) {
    Fault.guard(
        () -> {
          SameDiffFit fit = innermost.get();
          if (fit != null && fit.sampled && session instanceof TrainingSession) {
            fit.loss.take(session);
          }
        });
  }

  /**
   * The iteration is done.
   *
   * @param loss what fit is told; null if the iteration has thrown
   */
  public void iterationEnded(TrainingConfig config, At at, Loss loss) {
    Fault.guard(
        () -> {
          SameDiffFit fit = innermost.get();
          if (fit == null || loss == null) {
            return;
          }
          TrainingRun due = fit.run.step(fit.loss.loss(loss));
          if (due != null) {
            Counters now = new Counters(at.iteration(), at.epoch());
            due.learningRate(now.learningRate(config.getUpdater()));
            memory.tell(due);
          }
          fit.sampled = false;
        });
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

  private FittedRun runOf(SameDiff instance) {
    return runs.computeIfAbsent(instance, () -> new FittedRun("SameDiff"));
  }

  /** One call of fit, on its thread. It may refer to its instance: it is forgotten when it ends. */
  private static final class SameDiffFit {
    private static final long LEAST_NANOS_BETWEEN_SAMPLES = TimeUnit.MILLISECONDS.toNanos(50);

    private final SameDiff instance;
    private final FittedRun run;
    private final int epochs;
    private final int validationFrequency;
    private final SameDiffFit outer;
    private final PrunedLoss loss = new PrunedLoss();
    private boolean sampled;
    private long sampledAt = System.nanoTime() - LEAST_NANOS_BETWEEN_SAMPLES;
    private int epochsDone;

    /** By the instance's own count. */
    private int lastEpoch = -1;

    private boolean validating;

    /**
     * @param epochs that it is to make; 0 if it counts none
     * @param validationFrequency 0 if nothing is validated
     */
    SameDiffFit(
        SameDiff instance, FittedRun run, int epochs, int validationFrequency, SameDiffFit outer) {
      this.instance = instance;
      this.run = run;
      this.epochs = epochs;
      this.validationFrequency = validationFrequency;
      this.outer = outer;
    }

    @SuppressWarnings("ReferenceEquality") // equals compares the whole graphs
    boolean isOf(SameDiff other) {
      return instance == other;
    }

    /**
     * Whether to ask for a loss that would not be computed: now and then, so that it costs next to
     * nothing, and in the last iteration of each epoch.
     */
    boolean isSampleDue() {
      long now = System.nanoTime();
      boolean due = now - sampledAt >= LEAST_NANOS_BETWEEN_SAMPLES || run.isLastOfEpoch();
      if (!due || !run.isReported()) {
        return false;
      }
      sampledAt = now;
      return true;
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
