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
  static final Set<String> ACCEPTED =
      Set.of("patch-volume-mount-keys: create: trainjobs two-paths-one-volume");

  /** Changes of a runtime that upstream should have refused to change into what it is. */
  static final Set<String> CONSEQUENCES = Set.of("runtime-update: after-5");

  /** Accepted, but nothing of theirs is made: other controllers' TrainJobs, foreign objects. */
  static final Set<String> NOT_PLANNED =
      Set.of(
          "managed-by/kueue",
          "managed-by/kueue-suspended",
          "jobset-name-taken/busy",
          "jobset-name-taken/asleep",
          "snapshot-foreign-owner/demo");

  /** Upstream can't plan these, and MpiPluginTest says what they are. */
  static final Set<String> PLANNED_HERE_ONLY = Set.of("mpi-empty-implementation/demo");

  private static final Map<String, Consumer<JobSetTree>> CORRECTIONS = corrections();

  /** Host files by TrainJob: numNodes counts nodes, the launcher among them if it trains too. */
  private static final Map<String, String> HOSTS =
      Map.of(
          "mpi-launcher-as-node/empty", "empty-launcher-0-0.empty slots=1\n",
          "mpi-launcher-as-node/n0", "n0-launcher-0-0.n0 slots=1\n",
          "mpi-launcher-as-node/n1", "n1-launcher-0-0.n1 slots=1\n",
          "mpi-launcher-as-node/omitted", "omitted-launcher-0-0.omitted slots=1\n",
          "mpi-runtime-nodes-3/n2", "n2-node-0-0.n2 slots=1\nn2-launcher-0-0.n2 slots=1\n",
          "mpi-runtime-nodes-3/omitted",
              "omitted-node-0-0.omitted slots=1\nomitted-node-0-1.omitted slots=1\n"
                  + "omitted-launcher-0-0.omitted slots=1\n");

  /** Makes what upstream did into what it should have done. */
  @SuppressWarnings("unchecked")
  static void correct(String key, Map<String, Object> objects) {
    String name = key.substring(key.indexOf('/') + 1);
    Map<String, Object> snapshot = object(objects, "ConfigMap/" + name + "-runtime-snapshot");
    Map<String, Object> data = (Map<String, Object>) snapshot.get("data");
    Map<String, Object> yaml = (Map<String, Object>) data.get("runtime");
    ((Map<String, Object>) yaml.get("<yaml>")).remove("<has managedFields>");

    Consumer<JobSetTree> correction = CORRECTIONS.get(key);
    if (correction != null) {
      JobSetTree tree = JobSetTree.of(object(objects, "JobSet/" + name));
      correction.accept(tree);
      objects.put("JobSet/" + name, tree.root());
    }
    String hosts = HOSTS.get(key);
    if (hosts != null) {
      object(objects, "ConfigMap/" + name + "-mpi-hostfile").put("data", Map.of("hostfile", hosts));
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(Map<String, Object> objects, String key) {
    return (Map<String, Object>) objects.get(key);
  }

  private static Map<String, String> refused() {
    Map<String, String> refused = new HashMap<>();
    String patched = "spec.runtimePatches: [0].trainingRuntimeSpec.template.spec.replicatedJobs[0]";
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
    refused.put(
        "jax-omitted-and-user-env/user-wins",
        "JAX_COORDINATOR_ADDRESS, JAX_NUM_PROCESSES: set by the jax policy, leave them out");
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
                    Map.of("requests", Map.of("cpu", "7"), "limits", Map.of("memory", "1Gi"))));
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
    corrections.put("ref-deprecated/cluster", tree -> addRendezvous(tree, "cluster", "1", "1"));
    corrections.put(
        "ref-deprecated/namespaced", tree -> addRendezvous(tree, "namespaced", "1", "1"));
    corrections.put(
        "jax-omitted-and-user-env/omitted",
        tree ->
            tree.prepend(
                List.of(
                    rank("JAX_PROCESS_ID"), // stands in the runtime
                    Map.of("name", "JAX_NUM_PROCESSES", "value", "2"),
                    Map.of(
                        "name",
                        "JAX_COORDINATOR_ADDRESS",
                        "value",
                        "omitted-node-0-0.omitted:29500"))));
    corrections.put(
        "xgboost-cpu/omitted",
        tree ->
            tree.prepend(
                List.of(
                    Map.of("name", "DMLC_TRACKER_URI", "value", "omitted-node-0-0.omitted"),
                    Map.of("name", "DMLC_TRACKER_PORT", "value", "29500"),
                    rank("DMLC_TASK_ID"),
                    Map.of("name", "DMLC_NUM_WORKER", "value", "2"))));
    // kubeflow/trainer#3954: one node makes two pods when the launcher is a node
    for (String job : List.of("empty", "n0", "n1", "omitted")) {
      corrections.put("mpi-launcher-as-node/" + job, tree -> tree.setCount("node", 0));
    }
    // mlPolicy.numNodes becomes the number of launchers
    corrections.put("mpi-runtime-nodes-3/n2", tree -> tree.setCount("launcher", 1));
    corrections.put(
        "mpi-runtime-nodes-3/omitted",
        tree -> {
          tree.setCount("launcher", 1);
          tree.setCount("node", 2);
        });
    // kubeflow/trainer#2650: resourcesPerNode goes to a launcher that is no node
    corrections.put(
        "mpi-plain-launcher-labelled/n2",
        tree ->
            tree.container("node", "node")
                .put("resources", tree.container("launcher", "node").remove("resources")));
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
    tree.prepend(
        List.of(
            Map.of("name", "PET_NNODES", "value", nodes),
            Map.of("name", "PET_NPROC_PER_NODE", "value", processes),
            rank("PET_NODE_RANK"),
            Map.of("name", "PET_MASTER_ADDR", "value", job + "-node-0-0." + job),
            Map.of("name", "PET_MASTER_PORT", "value", "29500")));
  }

  private static Map<String, Object> rank(String name) {
    String index = "metadata.annotations['batch.kubernetes.io/job-completion-index']";
    return Map.of("name", name, "valueFrom", Map.of("fieldRef", Map.of("fieldPath", index)));
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
