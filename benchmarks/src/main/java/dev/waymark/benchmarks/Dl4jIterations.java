package dev.waymark.benchmarks;

import dev.waymark.dl4j.ProgressListener;
import dev.waymark.dl4j.SameDiffProgressListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.deeplearning4j.datasets.iterator.ExistingDataSetIterator;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.autodiff.listeners.Listener;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/**
 * A program that trains the smallest network of Deeplearning4j, or with the argument {@code
 * samediff} an instance of SameDiff, and prints what an iteration took: the median of its epochs.
 * With the argument {@code listener} it trains a second one that has the listener, epoch by epoch
 * in turn with the first, so that whatever the machine does hits both.
 */
final class Dl4jIterations {
  static final String SAMEDIFF = "samediff";
  static final String LISTENER = "listener";

  /** What it prints: the name of a figure, microseconds. */
  static final Pattern LINE = Pattern.compile("(?m)^(iteration.*|more) (-?[0-9.]+) us$");

  private static final int BATCHES = 500;
  private static final Duration WARM_UP = Duration.ofSeconds(4);
  private static final Duration MEASURED = Duration.ofSeconds(5);

  private final Runnable epoch;
  private final List<Double> microseconds = new ArrayList<>();

  private Dl4jIterations(Runnable epoch) {
    this.epoch = epoch;
  }

  public static void main(String[] args) {
    List<String> arguments = List.of(args);
    boolean ofSameDiff = arguments.contains(SAMEDIFF);
    Dl4jIterations alone = ofSameDiff ? ofSameDiff() : ofNetwork();
    List<Dl4jIterations> all = new ArrayList<>(List.of(alone));
    if (arguments.contains(LISTENER)) {
      all.add(
          ofSameDiff
              ? ofSameDiff(SameDiffProgressListener.create())
              : ofNetwork(ProgressListener.create()));
    }

    train(all, WARM_UP);
    all.forEach(one -> one.microseconds.clear());
    train(all, MEASURED);

    double base = Samples.median(alone.microseconds);
    print("iteration", base);
    for (Dl4jIterations listened : all.subList(1, all.size())) {
      double withListener = Samples.median(listened.microseconds);
      print("iteration with the listener by hand", withListener);
      print("more", withListener - base);
    }
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

  private static void train(List<Dl4jIterations> all, Duration time) {
    for (long began = System.nanoTime(); System.nanoTime() - began < time.toNanos(); ) {
      all.forEach(Dl4jIterations::trainEpoch);
    }
  }

  private void trainEpoch() {
    long began = System.nanoTime();
    epoch.run();
    microseconds.add((System.nanoTime() - began) / 1e3 / BATCHES);
  }

  private static void print(String figure, double microseconds) {
    System.out.printf(Locale.ROOT, "%s %.4f us%n", figure, microseconds);
  }
}
