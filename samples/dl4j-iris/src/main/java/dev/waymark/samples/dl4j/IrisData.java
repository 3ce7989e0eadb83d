package dev.waymark.samples.dl4j;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerStandardize;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Fisher's iris data: 90 rows to train with, 30 to choose a model by, 30 held out, always the same
 * ones.
 */
final class IrisData {
  static final int MEASURES = 4;
  static final int SPECIES = 3;
  static final int BATCH_SIZE = 3;
  static final int TRAINING_ROWS = 90;
  static final int VALIDATION_ROWS = 30;

  private static final long SPLIT_SEED = 7;
  private static final List<String> NAMES =
      Arrays.asList("Iris-setosa", "Iris-versicolor", "Iris-virginica");

  final DataSet training;
  final DataSet validation;
  final DataSet heldOut;

  private IrisData(DataSet training, DataSet validation, DataSet heldOut) {
    this.training = training;
    this.validation = validation;
    this.heldOut = heldOut;
  }

  static IrisData load() throws IOException {
    List<String> rows = readRows();
    Collections.shuffle(rows, new Random(SPLIT_SEED));
    int chosenBy = TRAINING_ROWS + VALIDATION_ROWS;
    DataSet training = dataSet(rows.subList(0, TRAINING_ROWS));
    DataSet validation = dataSet(rows.subList(TRAINING_ROWS, chosenBy));
    DataSet heldOut = dataSet(rows.subList(chosenBy, rows.size()));

    // Each measure in units of its deviation, from the training rows alone.
    NormalizerStandardize units = new NormalizerStandardize();
    units.fit(training);
    units.transform(training);
    units.transform(validation);
    units.transform(heldOut);
    return new IrisData(training, validation, heldOut);
  }

  /** The training rows in small batches. */
  DataSetIterator trainingBatches() {
    return new ListDataSetIterator<>(training.asList(), BATCH_SIZE);
  }

  /** The rows to choose a model by, in one batch. */
  DataSetIterator validationBatches() {
    return new ListDataSetIterator<>(validation.asList(), VALIDATION_ROWS);
  }

  private static DataSet dataSet(List<String> rows) {
    float[][] measures = new float[rows.size()][MEASURES];
    float[][] species = new float[rows.size()][SPECIES];
    for (int row = 0; row < rows.size(); row++) {
      String[] columns = rows.get(row).split(",");
      for (int i = 0; i < MEASURES; i++) {
        measures[row][i] = Float.parseFloat(columns[i]);
      }
      species[row][NAMES.indexOf(columns[MEASURES])] = 1;
    }
    return new DataSet(Nd4j.create(measures), Nd4j.create(species));
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
