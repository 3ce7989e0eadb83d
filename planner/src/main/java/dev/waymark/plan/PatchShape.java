package dev.waymark.plan;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * What a patch can reach; a field without children is free below. Source: kubeflow/trainer v2.3,
 * {@code PodSpecPatch} and the types around it.
 */
record PatchShape(Map<String, PatchShape> fields) {

  private static final PatchShape FREE = new PatchShape(Map.of());
  private static final PatchShape CONTAINER =
      of("name", FREE, "env", FREE, "volumeMounts", FREE, "securityContext", FREE);
  private static final PatchShape POD =
      new PatchShape(
          Map.ofEntries(
              Map.entry("serviceAccountName", FREE),
              Map.entry("volumes", FREE),
              Map.entry("initContainers", CONTAINER),
              Map.entry("containers", CONTAINER),
              Map.entry("imagePullSecrets", FREE),
              Map.entry("securityContext", FREE),
              Map.entry("terminationGracePeriodSeconds", FREE),
              Map.entry("nodeSelector", FREE),
              Map.entry("affinity", FREE),
              Map.entry("tolerations", FREE),
              Map.entry("schedulingGates", FREE)));
  private static final PatchShape POD_TEMPLATE = of("metadata", FREE, "spec", POD);
  private static final PatchShape JOB_TEMPLATE =
      of("metadata", FREE, "spec", of("template", POD_TEMPLATE));
  private static final PatchShape JOB = of("name", FREE, "template", JOB_TEMPLATE);
  private static final PatchShape RUNTIME =
      of("template", of("metadata", FREE, "spec", of("replicatedJobs", JOB)));

  /**
   * Tells what of a patch has another shape.
   *
   * @param refuse takes the path of a field and what is wrong with it
   */
  static void check(String path, Map<String, Object> patch, BiConsumer<String, String> refuse) {
    RUNTIME.checkValue(path, patch, refuse);
  }

  private void checkValue(String path, Object value, BiConsumer<String, String> refuse) {
    if (fields.isEmpty()) {
      return;
    } else if (value == null) {
      refuse.accept(path, "null would delete all of it: leave it out");
    } else if (value instanceof Map<?, ?> given) {
      given.forEach(
          (name, field) -> {
            PatchShape below = fields.get(name);
            if (below == null) {
              String allowed = String.join(", ", new TreeSet<>(fields.keySet()));
              refuse.accept(path + "." + name, "can't be patched, only " + allowed);
            } else {
              below.checkValue(path + "." + name, field, refuse);
            }
          });
    } else if (value instanceof List<?> items) {
      for (int i = 0; i < items.size(); i++) {
        checkValue(path + "[" + i + "]", items.get(i), refuse);
      }
    }
  }

  private static PatchShape of(Object... namesAndShapes) {
    Map<String, PatchShape> fields = new LinkedHashMap<>();
    for (int i = 0; i < namesAndShapes.length; i += 2) {
      fields.put((String) namesAndShapes[i], (PatchShape) namesAndShapes[i + 1]);
    }
    return new PatchShape(fields);
  }
}
