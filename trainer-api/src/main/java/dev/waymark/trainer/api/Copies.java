package dev.waymark.trainer.api;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Copies for the values of this package. Unlike {@code List.copyOf} and {@code Map.copyOf} they
 * keep order, null (an absent field is not an empty one) and nulls inside (a patch deletes with
 * them).
 */
final class Copies {

  static <T> List<T> of(List<T> list) {
    return list == null ? null : Collections.unmodifiableList(new ArrayList<>(list));
  }

  static <V> Map<String, V> of(Map<String, V> map) {
    return map == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }

  /** The unknown fields of a value: never null. */
  static Map<String, Object> ofUnknown(Map<String, Object> fields) {
    return fields == null ? Map.of() : of(fields);
  }

  private Copies() {}
}
