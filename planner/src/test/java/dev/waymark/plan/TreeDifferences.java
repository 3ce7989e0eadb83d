package dev.waymark.plan;

import dev.waymark.trainer.api.TrainerJson;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where two JSON trees differ, in the paths that {@code conformance/harness/compare.py} prints. As
 * there, the order of a list counts unless Kubernetes finds its items by a key, and an empty value
 * is an absent one.
 */
final class TreeDifferences {

  /** Lists whose items are found by a key, and whose order means nothing. */
  private static final Map<String, String> KEYS =
      Map.of(
          "volumes", "name",
          "volumeMounts", "mountPath",
          "ports", "containerPort",
          "imagePullSecrets", "name",
          "schedulingGates", "name",
          "ownerReferences", "uid",
          "claims", "name");

  /**
   * One of them, as {@code compare.py} prints it.
   *
   * @param expected {@code <absent>} for none
   * @param actual {@code <absent>} for none
   */
  record Difference(String path, Object expected, Object actual) {
    Difference {
      expected = Objects.requireNonNullElse(expected, ABSENT);
      actual = Objects.requireNonNullElse(actual, ABSENT);
    }
  }

  private static final String ABSENT = "<absent>";

  private final List<Difference> found = new ArrayList<>();

  static List<Difference> between(String path, Object expected, Object actual) {
    TreeDifferences differences = new TreeDifferences();
    differences.walk(path, expected, actual, "");
    return differences.found;
  }

  private void walk(String path, Object expected, Object actual, String name) {
    if (Objects.equals(expected, actual) || (isEmpty(expected) && isEmpty(actual))) {
      return;
    } else if (expected instanceof Map<?, ?> one && actual instanceof Map<?, ?> other) {
      Set<String> fields = new TreeSet<>();
      one.keySet().forEach(key -> fields.add((String) key));
      other.keySet().forEach(key -> fields.add((String) key));
      fields.forEach(key -> walk(path + "." + key, field(one, key), field(other, key), key));
    } else if (expected instanceof List<?> one && actual instanceof List<?> other) {
      walkList(path, one, other, name);
    } else {
      found.add(new Difference(path, expected, actual));
    }
  }

  /** A cluster's JobSet has a container's resources even where they are empty. */
  private static Object field(Map<?, ?> object, String name) {
    Object value = object.get(name);
    return value == null && name.equals("resources") ? Map.of() : value;
  }

  private void walkList(String path, List<?> expected, List<?> actual, String name) {
    String key = KEYS.get(name);
    if (key != null && all(expected, key) && all(actual, key)) {
      Set<Object> keys = new LinkedHashSet<>();
      expected.forEach(item -> keys.add(((Map<?, ?>) item).get(key)));
      actual.forEach(item -> keys.add(((Map<?, ?>) item).get(key)));
      keys.forEach(
          value ->
              walk(
                  path + "[" + value + "]",
                  find(expected, key, value),
                  find(actual, key, value),
                  ""));
    } else if (all(expected, "name")
        && all(actual, "name")
        && !names(expected).equals(names(actual))) {
      found.add(new Difference(path + " (names, in order)", briefs(expected), briefs(actual)));
      walkCommon(path, expected, actual);
    } else if (expected.size() != actual.size()) {
      found.add(new Difference(path, expected, actual));
    } else {
      for (int i = 0; i < expected.size(); i++) {
        Object item = expected.get(i);
        Object label =
            item instanceof Map<?, ?> map && map.containsKey("name") ? map.get("name") : i;
        walk(path + "[" + label + "]", item, actual.get(i), "");
      }
    }
  }

  /** Another order must not hide another value. */
  private void walkCommon(String path, List<?> expected, List<?> actual) {
    for (Object name : new LinkedHashSet<>(names(expected))) {
      List<?> some = named(expected, name);
      List<?> others = named(actual, name);
      for (int i = 0; i < Math.min(some.size(), others.size()); i++) {
        walk(path + "[" + name + "]", some.get(i), others.get(i), "");
      }
    }
  }

  private static List<String> briefs(List<?> items) {
    return items.stream().map(item -> brief((Map<?, ?>) item)).toList();
  }

  private static String brief(Map<?, ?> item) {
    return item.containsKey("value")
        ? item.get("name") + "=" + item.get("value")
        : item.containsKey("valueFrom")
            ? item.get("name") + "<-" + TrainerJson.write(item.get("valueFrom"))
            : (String) item.get("name");
  }

  private static boolean all(List<?> items, String key) {
    return items.stream().allMatch(item -> item instanceof Map<?, ?> map && map.containsKey(key));
  }

  private static List<?> names(List<?> items) {
    return items.stream().map(item -> ((Map<?, ?>) item).get("name")).toList();
  }

  private static List<?> named(List<?> items, Object name) {
    return items.stream().filter(item -> name.equals(((Map<?, ?>) item).get("name"))).toList();
  }

  private static Object find(List<?> items, String key, Object value) {
    return items.stream()
        .filter(item -> value.equals(((Map<?, ?>) item).get(key)))
        .findFirst()
        .orElse(null);
  }

  private static boolean isEmpty(Object value) {
    return value == null
        || "".equals(value)
        || (value instanceof Map<?, ?> map
            && map.values().stream().allMatch(TreeDifferences::isEmpty))
        || (value instanceof Collection<?> items && items.isEmpty());
  }
}
