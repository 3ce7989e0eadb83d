package dev.waymark.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.waymark.trainer.api.JobSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** A JobSet as sorted JSON values that can be compared and changed. */
final class JobSetTree {

  private static final ObjectMapper PRETTY =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final Map<String, Object> root;

  private JobSetTree(Map<String, Object> root) {
    this.root = root;
  }

  /** A rendered JobSet, with what the API server and JobSet's webhook add to it. */
  static JobSetTree of(JobSet jobSet) {
    JobSetTree tree = new JobSetTree(sorted(Golden.plain(jobSet)));
    tree.jobs().forEach(JobSetTree::addDefaults);
    Map<String, Object> spec = map(tree.root, "spec");
    map(spec, "network").putIfAbsent("enableDNSHostnames", true);
    map(spec, "network").putIfAbsent("publishNotReadyAddresses", true);
    spec.putIfAbsent("startupPolicy", Map.of("startupPolicyOrder", "AnyOrder"));
    spec.putIfAbsent("successPolicy", Map.of("operator", "All"));
    list(spec, "volumeClaimPolicies")
        .forEach(it -> it.putIfAbsent("retentionPolicy", Map.of("whenDeleted", "Delete")));
    return tree;
  }

  /** A JobSet as it was stored; a copy. */
  static JobSetTree of(Map<String, Object> stored) {
    return new JobSetTree(sorted(stored));
  }

  Map<String, Object> root() {
    return root;
  }

  /** Puts variables before all others of container node in job node, and opens its port. */
  void prepend(List<Map<String, ?>> env) {
    Map<String, Object> node = container("node", "node");
    List<Object> all = new ArrayList<>(env);
    list(node, "env").stream()
        .filter(old -> env.stream().noneMatch(it -> it.get("name").equals(old.get("name"))))
        .forEach(all::add);
    node.put("env", all);
    node.put("ports", List.of(Map.of("containerPort", 29500, "protocol", "TCP")));
  }

  /** Pods of a job. */
  void setCount(String job, int count) {
    Map<String, Object> spec = map(map(named(jobs(), job), "template"), "spec");
    spec.put("parallelism", count);
    spec.put("completions", count);
  }

  Map<String, Object> container(String job, String name) {
    return named(containers(pod(named(jobs(), job))), name);
  }

  Map<String, Object> env(String job, String container, String name) {
    return named(list(container(job, container), "env"), name);
  }

  Map<String, Object> volume(String job, String name) {
    return named(list(pod(named(jobs(), job)), "volumes"), name);
  }

  /** For people who look at a difference. */
  static String pretty(Map<String, Object> objects) {
    try {
      return PRETTY.writeValueAsString(withoutEmpties(sorted(objects)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void addDefaults(Map<String, Object> job) {
    job.putIfAbsent("groupName", "default");
    job.putIfAbsent("replicas", 1);
    map(map(job, "template"), "spec").putIfAbsent("completionMode", "Indexed");
    Map<String, Object> pod = pod(job);
    pod.putIfAbsent("restartPolicy", "OnFailure");
    containers(pod)
        .forEach(it -> list(it, "ports").forEach(port -> port.putIfAbsent("protocol", "TCP")));
  }

  private List<Map<String, Object>> jobs() {
    return list(map(root, "spec"), "replicatedJobs");
  }

  private static Map<String, Object> pod(Map<String, Object> job) {
    return map(map(map(map(job, "template"), "spec"), "template"), "spec");
  }

  private static List<Map<String, Object>> containers(Map<String, Object> pod) {
    List<Map<String, Object>> all = new ArrayList<>(list(pod, "containers"));
    all.addAll(list(pod, "initContainers"));
    return all;
  }

  private static Map<String, Object> named(List<Map<String, Object>> items, String name) {
    return items.stream().filter(it -> name.equals(it.get("name"))).findFirst().orElseThrow();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Map<String, Object> around, String name) {
    return (Map<String, Object>) around.computeIfAbsent(name, absent -> new TreeMap<>());
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> list(Map<String, Object> around, String name) {
    return (List<Map<String, Object>>) around.computeIfAbsent(name, absent -> new ArrayList<>());
  }

  /** A copy that can be changed. */
  private static Map<String, Object> sorted(Map<String, Object> map) {
    Map<String, Object> sorted = new TreeMap<>();
    map.forEach((name, value) -> sorted.put(name, sorted(value)));
    return sorted;
  }

  @SuppressWarnings("unchecked")
  private static Object sorted(Object value) {
    if (value instanceof Map<?, ?> map) {
      return sorted((Map<String, Object>) map);
    } else if (value instanceof List<?> list) {
      return new ArrayList<>(list.stream().map(JobSetTree::sorted).toList());
    }
    return value;
  }

  private static Object withoutEmpties(Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> kept = new TreeMap<>();
      map.forEach(
          (name, field) -> {
            Object pruned = withoutEmpties(field);
            if (!isEmpty(pruned)) {
              kept.put((String) name, pruned);
            } else if (name.equals("emptyDir")) {
              kept.put("emptyDir", Map.of());
            }
          });
      return kept;
    } else if (value instanceof List<?> list) {
      return list.stream().map(JobSetTree::withoutEmpties).toList();
    } else if ("".equals(value)) {
      return null;
    }
    return value;
  }

  private static boolean isEmpty(Object value) {
    return Objects.isNull(value)
        || (value instanceof Map<?, ?> map && map.isEmpty())
        || (value instanceof Collection<?> items && items.isEmpty());
  }
}
