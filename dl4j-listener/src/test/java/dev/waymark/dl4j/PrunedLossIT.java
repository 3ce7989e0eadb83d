package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.autodiff.listeners.At;
import org.nd4j.autodiff.listeners.Listener;
import org.nd4j.autodiff.listeners.Loss;
import org.nd4j.autodiff.listeners.Operation;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.TrainingConfig;
import org.nd4j.autodiff.samediff.internal.TrainingSession;
import org.nd4j.autodiff.samediff.internal.memory.ArrayCacheMemoryMgr;
import org.nd4j.evaluation.regression.RegressionEvaluation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.GradientUpdater;
import org.nd4j.linalg.learning.config.Sgd;

/** What is found out of real iterations, which call what the agent's hooks call. */
class PrunedLossIT {
  private static final INDArray ZEROS = Nd4j.zeros(DataType.FLOAT, 2, 4);
  private static final INDArray ONES = Nd4j.ones(DataType.FLOAT, 2, 4);

  /** Scalars on the way to a loss, the first time. */
  private static final int MOST_BEFORE_THEY_ARE_KNOWN = 4;

  private final PrunedLoss loss = new PrunedLoss();

  @Test
  void aLossThatIsComputedAndZeroIsNotPruned() {
    Iterations iterations = new Iterations(losses("mean"), requiring("mean"));

    assertThat(iterations.next(ZEROS)).isZero();
    assertThat(loss.isPruned()).isFalse();
    assertThat(iterations.next(ONES)).isEqualTo(iterations.told.totalLoss()).isNotZero();
  }

  @Test
  void aLossThatIsNotComputedIsUnknownUntilItIsWanted() {
    Iterations iterations = new Iterations(losses("mean"), requiring());

    assertThat(iterations.next(ONES)).isNull();
    assertThat(loss.isPruned()).isTrue();
    assertThat(iterations.next(ONES)).isNull();
    double mean = iterations.meanBefore(ONES);
    iterations.wanted = true;
    assertThat(iterations.next(ONES)).isCloseTo(mean, within(1e-6));
    assertThat(iterations.told.totalLoss()).as("what the program is told").isZero();
  }

  /** The gradient of the product needs the mean, but not the product itself. */
  @Test
  void ofSeveralLossesOnlyThePrunedOnesAreTakenBack() {
    Iterations iterations = new Iterations(losses("mean", "product"), requiring());

    assertThat(iterations.next(ZEROS)).isNull();
    double mean = iterations.meanBefore(ONES);
    double product = mean * iterations.sumBefore();
    iterations.wanted = true;
    assertThat(iterations.next(ONES)).isCloseTo(mean + product, within(1e-5));
    assertThat(iterations.told.lossValues()[0]).isCloseTo(mean, within(1e-6));
    assertThat(iterations.told.lossValues()[1]).isZero();
  }

  @Test
  void whatIsKnownOfAGraphHoldsForTheNextFit() {
    SameDiff instance = losses("mean");
    new Iterations(instance, requiring()).next(ONES);

    Iterations ofNextFit = new Iterations(instance, requiring());
    ofNextFit.wanted = true;
    assertThat(ofNextFit.next(ONES)).isNotNull();
  }

  @Test
  void ofAnotherGraphNothingIsKnown() {
    new Iterations(losses("mean"), requiring()).next(ONES);

    Iterations ofAnother = new Iterations(losses("mean"), requiring("mean"));
    ofAnother.wanted = true;
    assertThat(ofAnother.next(ONES)).isEqualTo(ofAnother.told.totalLoss()).isNotZero();
  }

  @Test
  void aLossThatLacksItsPlaceholderIsNotAskedFor() {
    SameDiff instance = losses("mean");
    instance.placeHolder("unused", DataType.FLOAT, -1);
    Iterations iterations = new Iterations(instance, requiring());
    iterations.next(ONES);

    iterations.wanted = true;
    assertThat(iterations.next(ONES)).isNull();
  }

  /** A session that keeps nothing of what it releases frees the memory at once. */
  @ParameterizedTest
  @EnumSource
  void aLossThatNothingElseNeedsIsReadBeforeItIsFreed(Keeping keeping) {
    Iterations iterations = new Iterations(losses("half"), requiring());
    keeping.set((ArrayCacheMemoryMgr) iterations.session.getMmgr());
    iterations.next(ONES);

    iterations.wanted = true;
    for (int i = 0; i < 3; i++) {
      double half = iterations.meanBefore(ONES) / 2;
      assertThat(iterations.next(ONES)).isCloseTo(half, within(1e-6));
    }
  }

  private enum Keeping {
    NOTHING(memory -> memory.setEnableCache(false)),
    NOTHING_FOR_WANT_OF_ROOM(memory -> memory.setMaxCacheBytes(0));

    private final Consumer<ArrayCacheMemoryMgr> setting;

    Keeping(Consumer<ArrayCacheMemoryMgr> setting) {
      this.setting = setting;
    }

    void set(ArrayCacheMemoryMgr memory) {
      setting.accept(memory);
    }
  }

  /** A session keeps every scalar that it releases; some it has of its own. */
  @ParameterizedTest
  @ValueSource(strings = {"product", "half"})
  void noScalarIsKeptOfALossThatIsWantedInEachIteration(String name) {
    int ofItsOwn = keptAfter(500, name, false);

    assertThat(keptAfter(500, name, true))
        .as("arrays kept in memory")
        .isLessThanOrEqualTo(ofItsOwn + MOST_BEFORE_THEY_ARE_KNOWN);
  }

  private int keptAfter(int count, String name, boolean wanted) {
    Iterations iterations = new Iterations(losses(name), requiring());
    iterations.next(ONES);
    iterations.wanted = wanted;
    for (int i = 0; i < count; i++) {
      assertThat(iterations.next(ONES) != null).isEqualTo(wanted);
    }
    return ((ArrayCacheMemoryMgr) iterations.session.getMmgr()).getLruCacheValues().size();
  }

  @Test
  void aLossThatTheProgramEvaluatesSinceIsNotTakenFromIt() {
    SameDiff instance = losses("mean");
    new Iterations(instance, requiring()).next(ONES);

    Iterations ofNextFit = new Iterations(instance, requiring("mean"));
    ofNextFit.wanted = true;
    ofNextFit.next(ONES);
    assertThat(ofNextFit.told.totalLoss()).isNotZero();
  }

  private static SameDiff losses(String... names) {
    SameDiff instance = SameDiff.create();
    SDVariable points = instance.placeHolder("points", DataType.FLOAT, -1, 4);
    SDVariable weights = instance.var("weights", Nd4j.ones(DataType.FLOAT, 4, 1));
    SDVariable mean = points.mmul(weights).mean("mean");
    mean.mul("product", weights.sum("sum"));
    mean.mul("half", 0.5);
    instance.setLossVariables(names);
    return instance;
  }

  private static TrainingConfig.Builder requiring(String... variables) {
    TrainingConfig.Builder config =
        new TrainingConfig.Builder()
            .updater(new Sgd(0.125))
            .dataSetFeatureMapping("points")
            .markLabelsUnused();
    for (String variable : variables) {
      config.trainEvaluation(variable, 0, new RegressionEvaluation());
    }
    return config;
  }

  /** Those of one fit, as fit itself makes them. */
  private final class Iterations {
    private final SameDiff instance;
    private final TrainingConfig config;
    private final Session session;

    @SuppressWarnings("rawtypes") // as SameDiff has them
    private final Map<String, GradientUpdater> updaters =
        Map.of("weights", new Sgd(0.125).instantiate((INDArray) null, true));

    private boolean wanted;
    private Loss told;

    Iterations(SameDiff instance, TrainingConfig.Builder config) {
      this.instance = instance;
      this.config = config.build();
      instance.setTrainingConfig(this.config);
      if (!instance.hasGradientFunction()) {
        instance.createGradFunction();
      }
      session = new Session(instance.getFunction("grad"));
    }

    /** What is found of the next one. */
    Double next(INDArray points) {
      Map<String, INDArray> placeholders = Map.of("points", points);
      loss.iterationBegan(session, instance.getLossVariables());
      if (wanted) {
        loss.want(placeholders);
      }
      told =
          session.trainingIteration(
              config,
              placeholders,
              Set.of("weights"),
              updaters,
              null,
              instance.getLossVariables(),
              new ArrayList<>(),
              At.defaultAt(Operation.TRAINING));
      return loss.of(told);
    }

    /** By the weights as they are now. */
    double meanBefore(INDArray points) {
      return points.mmul(weights()).meanNumber().doubleValue();
    }

    double sumBefore() {
      return weights().sumNumber().doubleValue();
    }

    private INDArray weights() {
      return instance.getVariable("weights").getArr();
    }
  }

  private final class Session extends TrainingSession {
    Session(SameDiff gradients) {
      super(gradients);
    }

    @Override
    public Map<String, INDArray> output(
        List<String> variables,
        Map<String, INDArray> placeholders,
        MultiDataSet batch,
        Collection<String> required,
        List<Listener> listeners,
        At at) {
      loss.outputBegan(variables, required);
      Map<String, INDArray> computed =
          super.output(variables, placeholders, batch, required, listeners, at);
      loss.outputEnded(this);
      return computed;
    }
  }
}
