package dev.waymark.dl4j;

import static java.util.Map.entry;

import java.util.Collection;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.nd4j.linalg.dataset.DataSet;

/**
 * How many batches an iterator gives, where its kind keeps its data in memory or knows its number.
 *
 * <p>No iterator of Deeplearning4j 1.0.0-M2.1 says it by itself ({@code numExamples()} went long
 * ago), so it is read from the private fields of those that can be known. An answer may be wrong
 * where a subclass drops or repeats batches; what counts in the end are the batches of a whole
 * epoch.
 */
final class IteratorLength {
  private static final String ND4J = "org.nd4j.linalg.dataset.";
  private static final String DL4J = "org.deeplearning4j.datasets.iterator.";

  private static final Map<String, ToLongFunction<Object>> KINDS =
      Map.ofEntries(
          entry(ND4J + "AsyncDataSetIterator", wrapped("backedIterator")),
          entry(ND4J + "AsyncMultiDataSetIterator", wrapped("backedIterator")),
          entry(ND4J + "adapter.MultiDataSetIteratorAdapter", wrapped("iter")),
          entry(DL4J + "MultiDataSetWrapperIterator", wrapped("iterator")),
          entry(DL4J + "AsyncShieldDataSetIterator", wrapped("backingIterator")),
          entry(DL4J + "EarlyTerminationDataSetIterator", IteratorLength::cutOff),
          entry(DL4J + "EarlyTerminationMultiDataSetIterator", IteratorLength::cutOff),
          entry(DL4J + "utilty.ListDataSetIterator", all("list", "batch")),
          entry(DL4J + "ExistingDataSetIterator", iterator -> size(iterator, "iterable")),
          entry(DL4J + "AbstractDataSetIterator", whole("iterable", "batchSize")),
          entry(ND4J + "ViewIterator", IteratorLength::view),
          entry(ND4J + "api.iterator.BaseDatasetIterator", all("numExamples", "batch")),
          entry(DL4J + "BaseDatasetIterator", all("numExamples", "batch")),
          entry(DL4J + "utilty.BenchmarkDataSetIterator", number("limit")),
          entry(DL4J + "utilty.BenchmarkMultiDataSetIterator", number("limit")),
          entry(ND4J + "adapter.SingletonDataSetIterator", iterator -> 1),
          entry(ND4J + "adapter.SingletonMultiDataSetIterator", iterator -> 1),
          entry(DL4J + "utilty.SingletonDataSetIterator", iterator -> 1),
          entry(DL4J + "utilty.SingletonMultiDataSetIterator", iterator -> 1));

  private IteratorLength() {}

  /**
   * The number of batches in one pass.
   *
   * @param iterator a {@code DataSetIterator} or {@code MultiDataSetIterator}; may be null
   * @return 0 if unknown
   */
  static long of(Object iterator) {
    try {
      return Math.max(0, byKind(iterator));
    } catch (RuntimeException | Error e) {
      return 0; // a collection of the program's, which it may be asked for as the data comes
    }
  }

  private static long byKind(Object iterator) {
    for (Class<?> c = iterator == null ? null : iterator.getClass();
        c != null;
        c = c.getSuperclass()) {
      ToLongFunction<Object> kind = KINDS.get(c.getName());
      if (kind != null) {
        return kind.applyAsLong(iterator);
      }
    }
    return 0;
  }

  private static ToLongFunction<Object> wrapped(String field) {
    return iterator -> of(PrivateField.read(iterator, field));
  }

  private static ToLongFunction<Object> number(String field) {
    return iterator -> size(iterator, field);
  }

  /** All examples in batches, the last one may be smaller. */
  private static ToLongFunction<Object> all(String examples, String batch) {
    return iterator -> ceiling(size(iterator, examples), size(iterator, batch));
  }

  /** All examples in batches; what doesn't fill a batch is left over (1.0.0-M2.1). */
  private static ToLongFunction<Object> whole(String examples, String batch) {
    return iterator -> size(iterator, examples) / Math.max(1, size(iterator, batch));
  }

  private static long cutOff(Object iterator) {
    long underlying = of(PrivateField.read(iterator, "underlyingIterator"));
    return Math.min(underlying, size(iterator, "terminationPoint"));
  }

  private static long view(Object iterator) {
    Object data = PrivateField.read(iterator, "data");
    return data instanceof DataSet
        ? ceiling(((DataSet) data).numExamples(), size(iterator, "batchSize"))
        : 0;
  }

  private static long ceiling(long examples, long batch) {
    return examples > 0 && batch > 0 ? (examples - 1) / batch + 1 : 0;
  }

  /** A number, or the size of a collection; 0 if the field holds neither. */
  private static long size(Object owner, String field) {
    Object value = PrivateField.read(owner, field);
    if (value instanceof Collection) {
      return ((Collection<?>) value).size();
    }
    return value instanceof Number ? ((Number) value).longValue() : 0;
  }
}
