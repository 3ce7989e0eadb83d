package dev.waymark.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Kubernetes' strategic merge patch, for the part of a JobSet that runtime patches can reach. Works
 * on plain JSON values and changes neither of its arguments.
 *
 * <ul>
 *   <li>Maps merge key by key; an explicit null takes the key away.
 *   <li>The lists of {@link #KEYS} merge item by item, found by the key that Kubernetes' types
 *       name; all other lists are replaced.
 *   <li>Order: items of the patch keep the patch's order, the others keep theirs, and the two are
 *       woven together by where they stood before, as upstream's {@code mergeSortedSlice} does.
 *   <li>A value that can have only one source (a volume, a variable) loses the old source when the
 *       patch brings another. Upstream v2.3 keeps both, and no pod can be made from that.
 * </ul>
 */
final class StrategicMerge {

  /** By the names of the lists: below a JobSet's spec each has one meaning only. */
  private static final Map<String, String> KEYS =
      Map.of(
          "replicatedJobs", "name",
          "containers", "name",
          "initContainers", "name",
          "env", "name",
          "ports", "containerPort",
          "volumeMounts", "mountPath",
          "volumes", "name",
          "imagePullSecrets", "name",
          "schedulingGates", "name");

  /** Where fields exclude each other, so that those which the patch doesn't have must go. */
  private static final Set<String> ONE_SOURCE = Set.of("volumes", "env", "valueFrom");

  static Map<String, Object> merge(Map<String, Object> original, Map<String, Object> patch) {
    Map<String, Object> merged = new LinkedHashMap<>(original);
    patch.forEach(
        (name, change) -> {
          if (change == null) {
            merged.remove(name);
          } else {
            merged.put(name, mergeField(name, original.get(name), change));
          }
        });
    return merged;
  }

  /** The field of a list by which its items are the same, or null if the list is replaced. */
  static String keyOf(String list) {
    return KEYS.get(list);
  }

  private static Object mergeField(String name, Object original, Object change) {
    if (change instanceof Map<?, ?> fields) {
      Map<String, Object> before = original instanceof Map<?, ?> map ? fields(map) : Map.of();
      return mergeMap(name, before, fields(fields));
    } else if (change instanceof List<?> items && KEYS.containsKey(name)) {
      List<?> before = original instanceof List<?> list ? list : List.of();
      return mergeList(name, before, items);
    }
    return withoutNulls(change);
  }

  private static Map<String, Object> mergeMap(
      String name, Map<String, Object> original, Map<String, Object> change) {
    Map<String, Object> merged = merge(original, change);
    boolean bringsSource =
        change.entrySet().stream()
            .anyMatch(field -> field.getValue() != null && !field.getKey().equals(KEYS.get(name)));
    if (ONE_SOURCE.contains(name) && bringsSource) {
      merged.keySet().retainAll(change.keySet());
    }
    return merged;
  }

  private static List<Object> mergeList(String name, List<?> original, List<?> change) {
    String key = KEYS.get(name);
    Map<Object, Object> patched = new LinkedHashMap<>();
    change.forEach(item -> patched.put(keyOf(item, key), item));
    List<Object> order = original.stream().map(item -> keyOf(item, key)).toList();

    List<Object> ofPatch = new ArrayList<>();
    patched.forEach(
        (value, item) -> {
          int at = order.indexOf(value);
          ofPatch.add(mergeField(name, at < 0 ? null : original.get(at), item));
        });
    List<Object> others = new ArrayList<>(original);
    others.removeIf(item -> patched.containsKey(keyOf(item, key)));
    return weave(others, ofPatch, key, order);
  }

  /** An item that isn't in the patch goes before the first patched one that stood behind it. */
  private static List<Object> weave(
      List<Object> others, List<Object> ofPatch, String key, List<Object> order) {
    List<Object> woven = new ArrayList<>();
    int next = 0;
    for (Object patched : ofPatch) {
      int stood = order.indexOf(keyOf(patched, key));
      while (next < others.size() && order.indexOf(keyOf(others.get(next), key)) < stood) {
        woven.add(others.get(next++));
      }
      woven.add(patched);
    }
    woven.addAll(others.subList(next, others.size()));
    return woven;
  }

  private static Object keyOf(Object item, String key) {
    return ((Map<?, ?>) item).get(key);
  }

  private static Object withoutNulls(Object value) {
    if (value instanceof Map<?, ?> map) {
      return merge(Map.of(), fields(map));
    } else if (value instanceof List<?> items) {
      return items.stream().map(StrategicMerge::withoutNulls).toList();
    }
    return value;
  }

  @SuppressWarnings("unchecked") // JSON objects have text as keys
  private static Map<String, Object> fields(Map<?, ?> map) {
    return (Map<String, Object>) map;
  }

  private StrategicMerge() {}
}
