package dev.waymark.benchmarks;

import dev.waymark.dl4j.ProgressListener;
import dev.waymark.dl4j.SameDiffProgressListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.deeplearning4j.datasets.iterator.ExistingDataSetIterator;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.deeplearning4j.parallelism.ParallelWrapper;
import org.nd4j.autodiff.listeners.BaseListener;
import org.nd4j.autodiff.listeners.Listener;
import org.nd4j.autodiff.listeners.Operation;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/**
 * A program that trains one of the smallest models and prints what an iteration takes, and what
 * each company that it may have adds to that: a listener that does nothing, Waymark's listener, or
 * Waymark's agent.
 *
 * <p>It is one model in one process that is trained, and what keeps it company changes from epoch
 * to epoch in random order. So whatever the process, the machine and the moment are like hits all
 * of them, and a median of differences is left. In some epochs what Waymark's own calls take is
 * measured instead, in their place.
 */
final class Dl4jIterations {
  /** What is trained. */
  enum Trained {
    NETWORK("MultiLayerNetwork"),
    NETWORK_BY_BATCHES("MultiLayerNetwork, fit(batch)"),
    SAMEDIFF("SameDiff"),
    WRAPPER("ParallelWrapper");

    final String words;

    Trained(String words) {
      this.words = words;
    }

    private List<Case> cases() {
      return switch (this) {
        case NETWORK -> ofNetwork(network -> network.fit(BATCHES));
        case NETWORK_BY_BATCHES -> ofNetwork(Dl4jIterations::fitBatches);
        case SAMEDIFF -> ofSameDiff();
        case WRAPPER -> ofWrapper();
      };
    }
  }

  static final String ALONE = "iteration without a listener";

  /** What it prints: whose figure, microseconds. */
  static final Pattern LINE = Pattern.compile("(?m)^(.+): (-?[0-9.]+) us$");

  private static final int ITERATIONS = 100;
  private static final int WORKERS = 2;
  private static final DataSet BATCH = SmallestDl4j.batch();
  private static final DataSetIterator BATCHES = batches(BATCH);

  private static final Duration WARM_UP = Duration.ofSeconds(8);
  private static final Duration MEASURED = Duration.ofSeconds(15);

  private static final TrainingListener NO_LISTENER = new BaseTrainingListener() {};

  private static final Listener NO_LISTENER_OF_SAMEDIFF =
      new BaseListener() {
        @Override
        public boolean isActive(Operation operation) {
          return operation == Operation.TRAINING;
        }
      };

  private Dl4jIterations() {}

  /** Argument: the name of what is trained. */
  public static void main(String[] args) {
    List<Case> cases = Trained.valueOf(args[0]).cases();
    train(cases, WARM_UP);
    cases.forEach(one -> one.microseconds.clear());
    train(cases, MEASURED);
    requireReports();
    Case alone = cases.get(0);
    for (Case one : cases) {
      print(
          one.name,
          one.figure == Figure.DIFFERENCE
              ? Samples.medianDifference(one.microseconds, alone.microseconds)
              : Samples.median(one.microseconds));
    }
  }

  private static void print(String whose, double microseconds) {
    System.out.printf(Locale.ROOT, "%s: %.4f us%n", whose, microseconds);
  }

  /** A wrapper's threads tell of their iterations at once, for which there is no stopwatch. */
  private static List<Case> ofWrapper() {
    return cases(new WrapperTraining(), NO_LISTENER, ProgressListener::create, null);
  }

  private static List<Case> ofNetwork(Consumer<MultiLayerNetwork> fit) {
    return cases(
        new NetworkTraining(fit), NO_LISTENER, ProgressListener::create, MeasuredListener::new);
  }

  private static List<Case> ofSameDiff() {
    return cases(
        new SameDiffTraining(SmallestDl4j.sameDiff()),
        NO_LISTENER_OF_SAMEDIFF,
        SameDiffProgressListener::create,
        MeasuredListenerOfSameDiff::new);
  }

  /**
   * With the agent only that, since it stands aside where a program has Waymark's listener.
   *
   * @param measured puts a stopwatch around a listener; null if there is none
   */
  private static <L> List<Case> cases(
      Training<L> training, L nothing, Supplier<L> waymark, UnaryOperator<L> measured) {
    return HookSwitch.isInstalled()
        ? ofAgent(training, measured != null)
        : ofListeners(training, nothing, waymark, measured);
  }

  private static List<Case> ofAgent(Training<?> training, boolean measured) {
    List<Case> cases = new ArrayList<>();
    Runnable hooksOn = () -> HookSwitch.set(true);
    cases.add(new Case(ALONE, Figure.TIME, training, () -> HookSwitch.set(false)));
    Case attached = new Case("added by the agent", Figure.DIFFERENCE, training, hooksOn);
    attached.train(); // threads that outlive a fit begin with hooks
    cases.add(attached);
    if (measured) {
      cases.add(new Case("within the agent's hooks", Figure.WITHIN, training, hooksOn));
    }
    return cases;
  }

  private static <L> List<Case> ofListeners(
      Training<L> training, L nothing, Supplier<L> waymark, UnaryOperator<L> measured) {
    List<Case> cases = new ArrayList<>();
    cases.add(listened(ALONE, Figure.TIME, training, List.of()));
    cases.add(
        listened(
            "added by a listener that does nothing",
            Figure.DIFFERENCE,
            training,
            List.of(nothing)));
    System.setProperty("waymark.enabled", "false");
    Case inert =
        listened(
            "added by Waymark's listener outside a TrainJob",
            Figure.DIFFERENCE,
            training,
            List.of(waymark.get()));
    inert.train(); // a run that is none stays one
    cases.add(inert);
    System.clearProperty("waymark.enabled");
    L listener = waymark.get();
    cases.add(
        listened("added by Waymark's listener", Figure.DIFFERENCE, training, List.of(listener)));
    if (measured != null) {
      cases.add(
          listened(
              "within Waymark's listener",
              Figure.WITHIN,
              training,
              List.of(measured.apply(listener))));
    }
    return cases;
  }

  private static <L> Case listened(
      String name, Figure figure, Training<L> training, List<L> listeners) {
    return new Case(name, figure, training, () -> training.listen(listeners));
  }

  /** Each round has an epoch of each case, so that the samples of a round belong together. */
  private static void train(List<Case> cases, Duration time) {
    List<Case> turns = new ArrayList<>(cases);
    Random random = new Random(1);
    for (long began = System.nanoTime(); System.nanoTime() - began < time.toNanos(); ) {
      Collections.shuffle(turns, random);
      turns.forEach(Case::train);
    }
  }

  private static void requireReports() {
    if (Thread.getAllStackTraces().keySet().stream()
        .noneMatch(thread -> thread.getName().equals("waymark-sender"))) {
      throw new IllegalStateException("nothing was reported");
    }
  }

  /** One model, which has what listeners it is told. */
  private interface Training<L> {
    void listen(List<L> listeners);

    void epoch();
  }

  private static final class NetworkTraining implements Training<TrainingListener> {
    private final MultiLayerNetwork network = SmallestDl4j.network();
    private final Consumer<MultiLayerNetwork> fit;

    NetworkTraining(Consumer<MultiLayerNetwork> fit) {
      this.fit = fit;
    }

    @Override
    public void listen(List<TrainingListener> listeners) {
      network.setListeners(listeners);
    }

    @Override
    public void epoch() {
      fit.accept(network);
    }
  }

  private static final class WrapperTraining implements Training<TrainingListener> {
    private final ParallelWrapper wrapper =
        new ParallelWrapper.Builder<>(SmallestDl4j.network()).workers(WORKERS).build();

    @Override
    public void listen(List<TrainingListener> listeners) {
      wrapper.setListeners(listeners);
    }

    @Override
    public void epoch() {
      wrapper.fit(BATCHES);
    }
  }

  private static final class SameDiffTraining implements Training<Listener> {
    private final SameDiff sameDiff;
    private final DataSetIterator batches = batches(SmallestDl4j.batchOfSameDiff());
    private Listener[] listeners = {};

    SameDiffTraining(SameDiff sameDiff) {
      this.sameDiff = sameDiff;
    }

    @Override
    public void listen(List<Listener> listeners) {
      this.listeners = listeners.toArray(new Listener[0]);
    }

    @Override
    public void epoch() {
      sameDiff.fit(batches, 1, listeners);
    }
  }

  private static DataSetIterator batches(DataSet batch) {
    return new ExistingDataSetIterator(Collections.nCopies(ITERATIONS, batch));
  }

  private static void fitBatches(MultiLayerNetwork network) {
    for (int i = 0; i < ITERATIONS; i++) {
      network.fit(BATCH);
    }
  }

  /** What is told of an iteration. */
  private enum Figure {
    TIME,
    /** To the case that trains alone. */
    DIFFERENCE,
    /** What the calls take of it that the stopwatch is around. */
    WITHIN
  }

  private static final class Case {
    private final String name;
    private final Figure figure;
    private final Training<?> training;
    private final Runnable prepare;
    private final List<Double> microseconds = new ArrayList<>();

    Case(String name, Figure figure, Training<?> training, Runnable prepare) {
      this.name = name;
      this.figure = figure;
      this.training = training;
      this.prepare = prepare;
    }

    void train() {
      boolean withinCalls = figure == Figure.WITHIN;
      prepare.run();
      Stopwatch.run(withinCalls);
      long began = System.nanoTime();
      training.epoch();
      long nanos = System.nanoTime() - began;
      microseconds.add((withinCalls ? Stopwatch.nanos() : nanos) / 1e3 / ITERATIONS);
    }
  }
}
