package example.dl4j;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.factory.Nd4j;

/** Three clouds of points, the same in every run. */
final class Data {
  static final int EXAMPLES = 96;
  static final int BATCH = 16;
  static final int BATCHES = EXAMPLES / BATCH;

  private Data() {}

  /** Six batches. */
  static DataSetIterator points() {
    return new ListDataSetIterator<>(examples(), BATCH);
  }

  static List<DataSet> batches() {
    List<DataSet> batches = new ArrayList<>();
    points().forEachRemaining(batches::add);
    return batches;
  }

  static List<DataSet> examples() {
    Random random = new Random(7);
    List<DataSet> examples = new ArrayList<>();
    for (int i = 0; i < EXAMPLES; i++) {
      int kind = i % 3;
      float[] features = new float[4];
      for (int j = 0; j < features.length; j++) {
        features[j] = (float) (random.nextGaussian() + (j == kind ? 2 : 0));
      }
      float[] label = new float[3];
      label[kind] = 1;
      examples.add(
          new DataSet(
              Nd4j.createFromArray(new float[][] {features}),
              Nd4j.createFromArray(new float[][] {label})));
    }
    return examples;
  }

  /** Two batches of series with twelve steps each. */
  static DataSetIterator series() {
    Random random = new Random(11);
    List<DataSet> series = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      float[][][] features = new float[1][2][12];
      float[][][] labels = new float[1][2][12];
      for (int t = 0; t < 12; t++) {
        features[0][0][t] = random.nextFloat();
        features[0][1][t] = random.nextFloat();
        labels[0][features[0][0][t] > features[0][1][t] ? 0 : 1][t] = 1;
      }
      series.add(new DataSet(Nd4j.createFromArray(features), Nd4j.createFromArray(labels)));
    }
    return new ListDataSetIterator<>(series, 4);
  }
}
