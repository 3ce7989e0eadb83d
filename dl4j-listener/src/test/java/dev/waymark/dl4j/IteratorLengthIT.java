package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.deeplearning4j.datasets.iterator.AsyncShieldDataSetIterator;
import org.deeplearning4j.datasets.iterator.EarlyTerminationDataSetIterator;
import org.deeplearning4j.datasets.iterator.ExistingDataSetIterator;
import org.deeplearning4j.datasets.iterator.INDArrayDataSetIterator;
import org.deeplearning4j.datasets.iterator.IteratorDataSetIterator;
import org.deeplearning4j.datasets.iterator.utilty.BenchmarkDataSetIterator;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.AsyncDataSetIterator;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.ViewIterator;
import org.nd4j.linalg.dataset.adapter.MultiDataSetIteratorAdapter;
import org.nd4j.linalg.dataset.adapter.SingletonDataSetIterator;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.dataset.api.iterator.SamplingDataSetIterator;

/** Deeplearning4j's own iterators: what is said is what they give. */
class IteratorLengthIT {
  private static final int EXAMPLES = 96;

  static Stream<Arguments> iterators() {
    List<DataSet> examples = Points.examples();
    DataSet all = DataSet.merge(examples);
    List<Pair<INDArray, INDArray>> pairs = new ArrayList<>();
    examples.forEach(example -> pairs.add(Pair.of(example.getFeatures(), example.getLabels())));
    return Stream.of(
        iterator(list(16), 6),
        iterator(list(10), 10),
        iterator(list(EXAMPLES), 1),
        iterator(new OwnListIterator(), 6),
        iterator(new ExistingDataSetIterator(examples), EXAMPLES),
        iterator(new INDArrayDataSetIterator(pairs, 10), 9),
        iterator(new ViewIterator(all, 16), 6),
        iterator(new SingletonDataSetIterator(all), 1),
        iterator(new AsyncShieldDataSetIterator(list(16)), 6),
        iterator(new AsyncDataSetIterator(list(16)), 6),
        iterator(new EarlyTerminationDataSetIterator(list(16), 4), 4),
        iterator(new EarlyTerminationDataSetIterator(list(16), 40), 6),
        iterator(new BenchmarkDataSetIterator(new int[] {4, 4}, 3, 7), 7));
  }

  private static DataSetIterator list(int batch) {
    return new ListDataSetIterator<>(Points.examples(), batch);
  }

  private static Arguments iterator(DataSetIterator iterator, int batches) {
    return Arguments.of(iterator.getClass().getSimpleName(), iterator, batches);
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("iterators")
  void whatIsSaidIsWhatTheIteratorGives(String kind, DataSetIterator iterator, int batches) {
    assertThat(IteratorLength.of(iterator)).isEqualTo(batches);
    assertThat(IteratorLength.of(new MultiDataSetIteratorAdapter(iterator))).isEqualTo(batches);

    int given = 0;
    for (; iterator.hasNext(); given++) {
      iterator.next();
    }
    assertThat(given).isEqualTo(batches);
  }

  static Stream<DataSetIterator> unknown() {
    return Stream.of(
        null,
        new IteratorDataSetIterator(Points.examples().iterator(), 16),
        new ExistingDataSetIterator(Points.examples().iterator()),
        new ExistingDataSetIterator(new NotCounted()),
        new EarlyTerminationDataSetIterator(
            new IteratorDataSetIterator(Collections.emptyIterator(), 16), 4),
        new SamplingDataSetIterator(DataSet.merge(Points.examples()), 10, 40));
  }

  @ParameterizedTest
  @MethodSource("unknown")
  void ofOthersNothingIsSaid(DataSetIterator iterator) {
    assertThat(IteratorLength.of(iterator)).isZero();
  }

  /** Has a field of its own with the name of the one that counts. */
  private static final class OwnListIterator extends ListDataSetIterator<DataSet> {
    private static final long serialVersionUID = 1L;

    private final int batch = 1;

    OwnListIterator() {
      super(Points.examples(), 16);
    }

    @Override
    public String toString() {
      return "not by " + batch;
    }
  }

  /** A collection that comes from somewhere, and can't say how much there is to come. */
  private static final class NotCounted extends AbstractCollection<DataSet> {
    @Override
    public Iterator<DataSet> iterator() {
      return Points.examples().iterator();
    }

    @Override
    public int size() {
      throw new UnsupportedOperationException("not counted");
    }
  }
}
