package dev.waymark.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.waymark.trainer.api.JobSetSpec;
import dev.waymark.trainer.api.JobSetTemplateSpec;
import dev.waymark.trainer.api.TrainerJson;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * A JobSet as sorted JSON values that can be compared: with the defaults that JobSet's webhook and
 * the API server would add, without empty values, with quantities as numbers.
 */
final class JobSetTree {

  private static final ObjectMapper PRETTY =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
  private static final String PROGRESS = "KUBEFLOW_TRAINER_SERVER_";
  private static final String PROGRESS_VOLUME = "kubeflow-trainer-token";
  private static final Set<String> QUANTITIES = Set.of("limits", "requests");

  private final Map<String, Object> root;

  private JobSetTree(Map<String, Object> root) {
    this.root = root;
    jobs().forEach(JobSetTree::addDefaults);
  }

  static JobSetTree ofPlan(RuntimePlan plan) {
    JobSetSpec others = plan.jobSet();
    JobSetSpec whole =
        new JobSetSpec(
            plan.podSets().stream().map(PodSet::job).toList(),
            others.network(),
            plan.suspend(),
            others.additionalProperties());
    JobSetTree tree =
        new JobSetTree(
            sorted(
                TrainerJson.toMap(
                    new JobSetTemplateSpec(
                        new ObjectMetaBuilder()
                            .withLabels(plan.labels())
                            .withAnnotations(plan.annotations())
                            .build(),
                        whole,
                        null))));
    Map<String, Object> spec = map(tree.root, "spec");
    map(spec, "network").putIfAbsent("enableDNSHostnames", true);
    map(spec, "network").putIfAbsent("publishNotReadyAddresses", true);
    spec.putIfAbsent("startupPolicy", Map.of("startupPolicyOrder", "AnyOrder"));
    spec.putIfAbsent("successPolicy", Map.of("operator", "All"));
    list(spec, "volumeClaimPolicies")
        .forEach(it -> it.putIfAbsent("retentionPolicy", Map.of("whenDeleted", "Delete")));
    return tree;
  }

  /** Without the variables and the volume of the progress plugin, which the planner has not yet. */
  static JobSetTree ofUpstream(Map<String, Object> jobSet) {
    JobSetTree tree = new JobSetTree(sorted(jobSet));
    for (Map<String, Object> job : tree.jobs()) {
      Map<String, Object> pod = pod(job);
      for (Map<String, Object> container : containers(pod)) {
        list(container, "env").removeIf(it -> String.valueOf(it.get("name")).startsWith(PROGRESS));
        list(container, "volumeMounts").removeIf(it -> PROGRESS_VOLUME.equals(it.get("name")));
      }
      list(pod, "volumes").removeIf(it -> PROGRESS_VOLUME.equals(it.get("name")));
    }
    return tree;
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
  String pretty() {
    try {
      return PRETTY.writeValueAsString(withoutEmpties(sorted(root)));
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
    map.forEach(
        (name, value) ->
            sorted.put(
                name,
                QUANTITIES.contains(name) && value instanceof Map<?, ?> quantities
                    ? numbers(quantities)
                    : sorted(value)));
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

  private static Map<String, Object> numbers(Map<?, ?> quantities) {
    Map<String, Object> numbers = new TreeMap<>();
    quantities.forEach(
        (name, text) ->
            numbers.put(
                (String) name,
                new Quantity((String) text)
                    .getNumericalAmount()
                    .stripTrailingZeros()
                    .toPlainString()));
    return numbers;
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
    }
    return value;
  }

  private static boolean isEmpty(Object value) {
    return Objects.isNull(value)
        || (value instanceof Map<?, ?> map && map.isEmpty())
        || (value instanceof Collection<?> items && items.isEmpty());
  }
}
