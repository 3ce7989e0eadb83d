package dev.waymark.benchmarks;

import dev.waymark.dl4j.ProgressListener;
import dev.waymark.dl4j.SameDiffProgressListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.deeplearning4j.datasets.iterator.ExistingDataSetIterator;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.autodiff.listeners.BaseListener;
import org.nd4j.autodiff.listeners.Listener;
import org.nd4j.autodiff.listeners.ListenerVariables;
import org.nd4j.autodiff.listeners.Operation;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/**
 * A program that trains the smallest network of Deeplearning4j, or with the argument {@code
 * samediff} an instance of SameDiff, and prints what an iteration took: the median of its epochs.
 * With the argument {@code listener} it trains a second one that has the listener, epoch by epoch
 * in turn with the first, so that whatever the machine does hits both; and of SameDiff a third one,
 * which computes its loss in each iteration, as the agent makes it do now and then.
 */
final class Dl4jIterations {
  static final String SAMEDIFF = "samediff";
  static final String LISTENER = "listener";

  /** What it prints: the name of a figure, microseconds. */
  static final Pattern LINE = Pattern.compile("(?m)^(iteration.*) ([0-9.]+) us$");

  /** So few that most epochs are not broken by a stop of the whole process. */
  private static final int BATCHES = 100;

  private static final Duration WARM_UP = Duration.ofSeconds(12);
  private static final Duration MEASURED = Duration.ofSeconds(12);

  private final Runnable epoch;
  private final List<Double> microseconds = new ArrayList<>();

  private Dl4jIterations(Runnable epoch) {
    this.epoch = epoch;
  }

  public static void main(String[] args) {
    List<String> arguments = List.of(args);
    boolean ofSameDiff = arguments.contains(SAMEDIFF);
    Map<String, Dl4jIterations> all = new LinkedHashMap<>();
    all.put("iteration", ofSameDiff ? ofSameDiff() : ofNetwork());
    if (arguments.contains(LISTENER)) {
      all.put(
          "iteration with the listener by hand",
          ofSameDiff
              ? ofSameDiff(SameDiffProgressListener.create())
              : ofNetwork(ProgressListener.create()));
      if (ofSameDiff) {
        all.put("iteration that computes its loss", ofSameDiff(new LossReader()));
      }
    }

    train(all.values(), WARM_UP);
    all.values().forEach(one -> one.microseconds.clear());
    train(all.values(), MEASURED);
    all.forEach(
        (figure, one) ->
            System.out.printf(
                Locale.ROOT, "%s %.4f us%n", figure, Samples.median(one.microseconds)));
  }

  private static Dl4jIterations ofNetwork(TrainingListener... listeners) {
    MultiLayerNetwork network = SmallestDl4j.network();
    network.setListeners(listeners);
    DataSetIterator batches = batches(SmallestDl4j.batch());
    return new Dl4jIterations(() -> network.fit(batches));
  }

  private static Dl4jIterations ofSameDiff(Listener... listeners) {
    SameDiff sameDiff = SmallestDl4j.sameDiff();
    DataSetIterator batches = batches(SmallestDl4j.batchOfSameDiff());
    return new Dl4jIterations(() -> sameDiff.fit(batches, 1, listeners));
  }

  private static DataSetIterator batches(DataSet batch) {
    return new ExistingDataSetIterator(Collections.nCopies(BATCHES, batch));
  }

  private static void train(Collection<Dl4jIterations> all, Duration time) {
    for (long began = System.nanoTime(); System.nanoTime() - began < time.toNanos(); ) {
      all.forEach(Dl4jIterations::trainEpoch);
    }
  }

  private void trainEpoch() {
    long began = System.nanoTime();
    epoch.run();
    microseconds.add((System.nanoTime() - began) / 1e3 / BATCHES);
  }

  /** Wants to know the loss, as a program's own listener may. */
  private static final class LossReader extends BaseListener {
    @Override
    public ListenerVariables requiredVariables(SameDiff sameDiff) {
      return ListenerVariables.builder()
          .trainingVariables(sameDiff.getLossVariables().toArray(new String[0]))
          .build();
    }

    @Override
    public boolean isActive(Operation operation) {
      return operation == Operation.TRAINING;
    }
  }
}
