package dev.waymark.benchmarks;

import dev.waymark.dl4j.ProgressListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.deeplearning4j.datasets.iterator.ExistingDataSetIterator;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/**
 * A program that trains the smallest network of Deeplearning4j and prints what an iteration took:
 * the median of its epochs. With the argument {@code listener} it trains a second one that has the
 * listener, epoch by epoch in turn with the first, so that whatever the machine does hits both.
 */
final class Dl4jIterations {
  static final String LISTENER = "listener";

  /** What it prints: the name of a figure, microseconds. */
  static final Pattern LINE = Pattern.compile("(?m)^(iteration.*|more) (-?[0-9.]+) us$");

  private static final int BATCHES = 500;
  private static final Duration WARM_UP = Duration.ofSeconds(4);
  private static final Duration MEASURED = Duration.ofSeconds(5);

  private final MultiLayerNetwork network = SmallestDl4j.network();
  private final DataSetIterator epoch =
      new ExistingDataSetIterator(Collections.nCopies(BATCHES, SmallestDl4j.batch()));
  private final List<Double> microseconds = new ArrayList<>();

  private Dl4jIterations() {}

  public static void main(String[] args) {
    Dl4jIterations alone = new Dl4jIterations();
    Dl4jIterations listened = new Dl4jIterations();
    listened.network.addListeners(ProgressListener.create());
    List<Dl4jIterations> all =
        List.of(args).contains(LISTENER) ? List.of(alone, listened) : List.of(alone);

    train(all, WARM_UP);
    all.forEach(one -> one.microseconds.clear());
    train(all, MEASURED);

    double base = Samples.median(alone.microseconds);
    print("iteration", base);
    if (all.contains(listened)) {
      double withListener = Samples.median(listened.microseconds);
      print("iteration with the listener by hand", withListener);
      print("more", withListener - base);
    }
  }

  private static void train(List<Dl4jIterations> all, Duration time) {
    for (long began = System.nanoTime(); System.nanoTime() - began < time.toNanos(); ) {
      all.forEach(Dl4jIterations::trainEpoch);
    }
  }

  private void trainEpoch() {
    long began = System.nanoTime();
    network.fit(epoch);
    microseconds.add((System.nanoTime() - began) / 1e3 / BATCHES);
  }

  private static void print(String figure, double microseconds) {
    System.out.printf(Locale.ROOT, "%s %.4f us%n", figure, microseconds);
  }
}
