package dev.waymark.samples.iris;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.dataset.ArrayDataset;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Fisher's iris data: 120 rows to train with, 30 held out, always the same ones. */
final class IrisData {
  static final int MEASURES = 4;
  static final int SPECIES = 3;
  static final int BATCH_SIZE = 4;
  static final int TRAINING_ROWS = 120;

  /** Batches, and so updates of the network, in one epoch. */
  static final int BATCHES = TRAINING_ROWS / BATCH_SIZE;

  private static final long SPLIT_SEED = 7;
  private static final List<String> NAMES =
      Arrays.asList("Iris-setosa", "Iris-versicolor", "Iris-virginica");

  final ArrayDataset training;
  final ArrayDataset heldOut;

  private IrisData(ArrayDataset training, ArrayDataset heldOut) {
    this.training = training;
    this.heldOut = heldOut;
  }

  /** Reads the data; it lives as long as the manager. */
  static IrisData load(NDManager manager) throws IOException {
    List<String> rows = readRows();
    Collections.shuffle(rows, new Random(SPLIT_SEED));
    List<String> training = rows.subList(0, TRAINING_ROWS);
    List<String> heldOut = rows.subList(TRAINING_ROWS, rows.size());

    // Each measure in units of its deviation, from the training rows alone.
    NDArray measures = measures(manager, training);
    NDArray mean = measures.mean(new int[] {0});
    NDArray deviation = measures.sub(mean).square().mean(new int[] {0}).sqrt();
    return new IrisData(
        dataset(measures.sub(mean).div(deviation), species(manager, training), true),
        dataset(
            measures(manager, heldOut).sub(mean).div(deviation), species(manager, heldOut), false));
  }

  private static ArrayDataset dataset(NDArray measures, NDArray species, boolean shuffled) {
    return new ArrayDataset.Builder()
        .setData(measures)
        .optLabels(species)
        .setSampling(BATCH_SIZE, shuffled)
        .build();
  }

  private static NDArray measures(NDManager manager, List<String> rows) {
    float[] measures = new float[rows.size() * MEASURES];
    for (int row = 0; row < rows.size(); row++) {
      String[] columns = rows.get(row).split(",");
      for (int i = 0; i < MEASURES; i++) {
        measures[row * MEASURES + i] = Float.parseFloat(columns[i]);
      }
    }
    return manager.create(measures, new Shape(rows.size(), MEASURES));
  }

  private static NDArray species(NDManager manager, List<String> rows) {
    float[] species = new float[rows.size()];
    for (int row = 0; row < rows.size(); row++) {
      species[row] = NAMES.indexOf(rows.get(row).split(",")[MEASURES]);
    }
    return manager.create(species);
  }

  private static List<String> readRows() throws IOException {
    try (BufferedReader csv =
        new BufferedReader(
            new InputStreamReader(
                IrisData.class.getResourceAsStream("/iris.csv"), StandardCharsets.UTF_8))) {
      List<String> rows = new ArrayList<>();
      csv.readLine(); // names of the columns
      for (String row = csv.readLine(); row != null; row = csv.readLine()) {
        rows.add(row);
      }
      return rows;
    }
  }
}
