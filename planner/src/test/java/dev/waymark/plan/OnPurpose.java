package dev.waymark.plan;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Where Waymark differs from upstream on purpose, and what is right there. */
final class OnPurpose {

  /** Upstream accepts these TrainJobs, and no pod ever runs; with the words that say why not. */
  static final Map<String, String> REFUSED = refused();

  /** Upstream's CRD refuses one volume mounted twice, for a list key that is not the merge key. */
  static final Set<String> ACCEPTED = Set.of("patch-volume-mount-keys/two-paths-one-volume");

  private static final Map<String, Consumer<JobSetTree>> CORRECTIONS = corrections();

  /** Makes what upstream did into what it should have done. */
  static void correct(String key, JobSetTree upstream) {
    CORRECTIONS.getOrDefault(key, tree -> {}).accept(upstream);
  }

  private static Map<String, String> refused() {
    Map<String, String> refused = new HashMap<>();
    String patched = "spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0]";
    refused.put("patch-unknown-names/job", patched + ": the runtime has no job ghost");
    refused.put(
        "patch-unknown-names/container", ".containers[0]: the runtime has no container ghost");
    refused.put(
        "patch-unknown-names/init", ".initContainers[0]: the runtime has no init container ghost");
    for (int length : List.of(56, 63)) {
      refused.put(
          "name-rules/" + "a".repeat(length), "would have names of more than 63 characters");
    }
    for (String job : List.of("a", "b")) {
      refused.put("runtime-without-template/" + job, "has no jobs, so nothing would run");
    }
    for (String job : List.of("amd", "ascend", "mig", "nvidia", "several", "tpu")) {
      refused.put("resources-accelerators/" + job, "spec.podGroupPolicy.coscheduling");
    }
    return refused;
  }

  private static Map<String, Consumer<JobSetTree>> corrections() {
    Map<String, Consumer<JobSetTree>> corrections = new LinkedHashMap<>();
    // reference: resourcesPerNode is ignored when the runtime has no mlPolicy
    corrections.put(
        "plain-resources-without-policy/demo",
        tree ->
            tree.container("node", "node")
                .put(
                    "resources",
                    Map.of(
                        "requests", Map.of("cpu", "7"), "limits", Map.of("memory", "1073741824"))));
    // kubeflow/trainer#4076: nothing of the framework when spec.trainer is omitted
    corrections.put(
        "init-refused/mount-but-unused", tree -> addRendezvous(tree, "mount-but-unused", "1", "1"));
    corrections.put("torch-trainer-omitted/demo", tree -> addRendezvous(tree, "demo", "2", "1"));
    corrections.put(
        "torch-env-injection/without-trainer",
        tree -> addRendezvous(tree, "without-trainer", "2", "1"));
    corrections.put(
        "torch-nproc-cpu/runtime-omitted",
        tree -> addRendezvous(tree, "runtime-omitted", "1", "5"));
    // kubeflow/trainer#3974: an override of one resource hides the runtime's others
    corrections.put(
        "torch-nproc-cpu/runtime-cpu-mem", tree -> setEnv(tree, "PET_NPROC_PER_NODE", "5"));
    corrections.put(
        "torch-nproc-gpu/runtime-gpu-cpu-override",
        tree -> setEnv(tree, "PET_NPROC_PER_NODE", "auto"));
    for (String job : List.of("cpu-only", "empty", "forms", "new-keys", "requests")) {
      corrections.put("resources-merge/" + job, tree -> setEnv(tree, "PET_NPROC_PER_NODE", "auto"));
    }
    // the address of rank 0 ignores a custom subdomain, and a trainer job that is not called node
    corrections.put(
        "torch-custom-shape/a", tree -> setEnv(tree, "PET_MASTER_ADDR", "a-node-0-0.workers"));
    corrections.put(
        "torch-custom-shape/b",
        tree -> tree.env("worker", "node", "PET_MASTER_ADDR").put("value", "b-worker-0-0.b"));
    // claims are lost
    corrections.put(
        "resources-claims/claims", tree -> setClaims(tree, "runtime-claim", "job-claim"));
    corrections.put("resources-claims/limits", tree -> setClaims(tree, "runtime-claim"));
    // a patched volume keeps its old source beside the new one
    corrections.put(
        "patch-volume-source-replaced/demo",
        tree -> tree.volume("node", "data").remove("emptyDir"));
    return corrections;
  }

  private static void addRendezvous(JobSetTree tree, String job, String nodes, String processes) {
    Map<String, Object> node = tree.container("node", "node");
    node.put(
        "env",
        List.of(
            Map.of("name", "PET_NNODES", "value", nodes),
            Map.of("name", "PET_NPROC_PER_NODE", "value", processes),
            Map.of(
                "name",
                "PET_NODE_RANK",
                "valueFrom",
                Map.of(
                    "fieldRef",
                    Map.of(
                        "fieldPath",
                        "metadata.annotations['batch.kubernetes.io/job-completion-index']"))),
            Map.of("name", "PET_MASTER_ADDR", "value", job + "-node-0-0." + job),
            Map.of("name", "PET_MASTER_PORT", "value", "29500")));
    node.put("ports", List.of(Map.of("containerPort", 29500, "protocol", "TCP")));
  }

  private static void setEnv(JobSetTree tree, String name, String value) {
    tree.env("node", "node", name).put("value", value);
  }

  @SuppressWarnings("unchecked")
  private static void setClaims(JobSetTree tree, String... claims) {
    Map<String, Object> resources =
        (Map<String, Object>) tree.container("node", "node").get("resources");
    resources.put("claims", Stream.of(claims).map(claim -> Map.of("name", claim)).toList());
  }

  private OnPurpose() {}
}
