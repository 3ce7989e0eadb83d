package dev.waymark.plan;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * JSON values of a pod's or a JobSet's spec as Kubernetes' Go types write them: quantities in their
 * canonical spelling, the divisor that a Go struct can't leave out, and not what it does leave out
 * because it is the same as nothing.
 */
final class GoSpelling {

  /** Maps of quantities by resource name. */
  private static final Set<String> AMOUNTS = Set.of("limits", "requests", "overhead");

  private static final Set<String> AMOUNT = Set.of("sizeLimit", "divisor");

  /**
   * Left out when they are false or 0. Source: {@code omitempty} in k8s.io/api 0.36, JobSet 0.12.
   */
  private static final Set<String> SAME_AS_NOTHING =
      Set.of(
          "readOnly",
          "hostNetwork",
          "hostPID",
          "hostIPC",
          "stdin",
          "stdinOnce",
          "tty",
          "hostPort",
          "initialDelaySeconds",
          "timeoutSeconds",
          "periodSeconds",
          "successThreshold",
          "failureThreshold",
          "maxRestarts",
          "jobIndex",
          "podIndex");

  /** Maps whose keys are anybody's. */
  private static final Set<String> FREE =
      Set.of("labels", "annotations", "nodeSelector", "matchLabels", "volumeAttributes", "options");

  private static final String RESOURCE_FIELD = "resourceFieldRef";
  private static final String DIVISOR = "divisor";

  /** A copy; the argument is not changed. */
  static Map<String, Object> of(Map<String, Object> fields) {
    Map<String, Object> spelled = new LinkedHashMap<>();
    fields.forEach(
        (name, value) -> {
          if (!SAME_AS_NOTHING.contains(name) || !isNothing(value)) {
            spelled.put(name, field(name, value));
          }
        });
    return spelled;
  }

  private static Object field(String name, Object value) {
    if (FREE.contains(name)) {
      return value;
    } else if (AMOUNT.contains(name) && isScalar(value)) {
      return CanonicalQuantity.of(value.toString());
    } else if (AMOUNTS.contains(name) && value instanceof Map<?, ?> amounts) {
      Map<String, Object> spelled = new LinkedHashMap<>();
      amounts.forEach(
          (resource, amount) ->
              spelled.put(
                  (String) resource,
                  isScalar(amount) ? CanonicalQuantity.of(amount.toString()) : amount));
      return spelled;
    } else if (value instanceof Map<?, ?> map) {
      Map<String, Object> spelled = of(fields(map));
      if (name.equals(RESOURCE_FIELD)) {
        spelled.putIfAbsent(DIVISOR, "0");
      }
      return spelled;
    } else if (value instanceof List<?> items) {
      return items.stream().map(item -> field("", item)).toList();
    }
    return value;
  }

  private static boolean isNothing(Object value) {
    return Boolean.FALSE.equals(value)
        || (value instanceof Number number && number.intValue() == 0);
  }

  private static boolean isScalar(Object value) {
    return value instanceof String || value instanceof Number;
  }

  @SuppressWarnings("unchecked") // JSON objects have text as keys
  private static Map<String, Object> fields(Map<?, ?> map) {
    return (Map<String, Object>) map;
  }

  private GoSpelling() {}
}
