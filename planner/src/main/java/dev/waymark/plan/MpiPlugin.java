package dev.waymark.plan;

import dev.waymark.trainer.api.MLPolicy;
import dev.waymark.trainer.api.MLPolicy.Mpi;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.KeyToPathBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Open MPI: a launcher that starts processes on the nodes by ssh. Differs from upstream v2.3 where
 * that is wrong: numNodes counts the launcher when it trains too, so that one node is one pod
 * (kubeflow/trainer#3954); the runtime's numNodes counts nodes, never launchers; an empty
 * implementation is the default one.
 */
final class MpiPlugin implements PlanPlugin {

  /** The job of the launcher; that of the nodes is {@link TrainerApi#NODE}. */
  private static final String LAUNCHER = "launcher";

  private static final String OPEN_MPI = "OpenMPI";

  private static final String HOSTFILE = "OMPI_MCA_orte_default_hostfile";
  private static final String KEEP_FQDN = "OMPI_MCA_orte_keep_fqdn_hostnames";
  private static final String SLOTS = "OMPI_MCA_orte_set_default_slots";
  private static final String RSH_ARGS = "OMPI_MCA_plm_rsh_args";
  private static final Set<String> RESERVED = Set.of(HOSTFILE, KEEP_FQDN, SLOTS, RSH_ARGS);

  private static final String SSH_VOLUME = "mpi-ssh-auth";
  private static final String HOSTFILE_VOLUME = "mpi-hostfile";
  private static final String HOSTFILE_NAME = "hostfile";
  private static final String HOSTFILE_DIRECTORY = "/etc/mpi";

  /** In bytes, as the API server limits it. */
  private static final int LARGEST_CONFIG_MAP = 1024 * 1024;

  @Override
  public boolean handles(PlanRequest request) {
    return policy(request.runtime()) != null;
  }

  @Override
  public List<Refusal> checkRuntime(RuntimeResource runtime) {
    Mpi policy = policy(runtime);
    List<Refusal> refusals = new ArrayList<>();
    if (policy == null) {
      return refusals;
    }
    if (policy.numProcPerNode() != null && policy.numProcPerNode() < 1) {
      refusals.add(
          RuntimeRules.invalid(
              runtime,
              "spec.mlPolicy.mpi.numProcPerNode",
              "is " + policy.numProcPerNode() + ": at least 1"));
    }
    String implementation = policy.mpiImplementation();
    if (implementation != null && !Set.of(OPEN_MPI, "").contains(implementation)) {
      refusals.add(
          RuntimeRules.invalid(
              runtime,
              "spec.mlPolicy.mpi.mpiImplementation",
              "\"" + implementation + "\": only " + OPEN_MPI));
    }
    return refusals;
  }

  @Override
  public List<Refusal> validate(PlanRequest request, RuntimePlan plan) {
    List<Refusal> refusals = new ArrayList<>();
    Integer numNodes = request.trainer().numNodes();
    boolean hasBoth = plan.podSet(LAUNCHER).isPresent() && plan.podSet(TrainerApi.NODE).isPresent();
    if (numNodes != null && numNodes >= 2 && launcherIsNode(request) && !hasBoth) {
      refusals.add(
          request.forbid(
              "spec.trainer.numNodes",
              "is " + numNodes + ": only 1 without both jobs, launcher and node, in the runtime"));
    }
    refusals.addAll(FrameworkEnv.refuseReserved(request, RESERVED, "mpi"));
    return refusals;
  }

  /** A host file that no ConfigMap holds; found out before it is written, since memory ends too. */
  @Override
  public List<Refusal> obstacles(PlanRequest request, RuntimePlan plan) {
    RuntimePlan sized = sized(request, plan);
    long hosts = 0;
    long bytes = 0;
    for (PodSet podSet : hosts(request, sized)) {
      long pods = (long) podSet.replicas() * podSet.count();
      hosts += pods;
      bytes += pods * line(sized.host(podSet.name(), 0, 0), processes(request, sized)).length();
    }
    if (bytes <= LARGEST_CONFIG_MAP) {
      return List.of();
    }
    return List.of(
        request.forbid(
            "spec.trainer.numNodes",
            (request.trainer().numNodes() == null ? "is missing, and the runtime asks" : "asks")
                + " for "
                + hosts
                + " hosts: their host file is larger than a ConfigMap may be (1 MiB)"));
  }

  @Override
  public RuntimePlan apply(PlanRequest request, RuntimePlan plan) {
    RuntimePlan sized = sized(request, plan);
    int processes = processes(request, sized);
    String ssh = plan.name() + "-" + SSH_VOLUME;
    String hosts = plan.name() + "-" + HOSTFILE_VOLUME;
    return sized
        .withPodSet(TrainerApi.NODE, podSet -> withSsh(request, podSet, ssh))
        .withPodSet(LAUNCHER, podSet -> launch(withSsh(request, podSet, ssh), hosts, processes))
        .withHelper(
            new HelperObject.Texts(
                hosts, Map.of(HOSTFILE_NAME, hostfile(request, sized, processes))))
        .withHelper(new HelperObject.SshKeys(ssh));
  }

  /** Whether the launcher trains too. */
  static boolean launcherIsNode(PlanRequest request) {
    Mpi policy = policy(request.runtime());
    return policy != null && Boolean.TRUE.equals(policy.runLauncherAsNode());
  }

  /** Whether a job's pods start the processes, by its name. */
  static boolean isLauncher(String job) {
    return LAUNCHER.equals(job);
  }

  private static RuntimePlan sized(PlanRequest request, RuntimePlan plan) {
    return plan.withPodSet(TrainerApi.NODE, podSet -> withCount(request, podSet));
  }

  private static PodSet withCount(PlanRequest request, PodSet podSet) {
    Integer ofRuntime = request.policy().numNodes();
    Integer numNodes = request.trainer().numNodes();
    if (numNodes == null && ofRuntime != null) {
      numNodes = Math.max(ofRuntime, 1);
    }
    if (numNodes == null) {
      return podSet;
    }
    return podSet.withCount(launcherIsNode(request) ? Math.max(numNodes - 1, 0) : numNodes);
  }

  private static PodSet withSsh(PlanRequest request, PodSet podSet, String secret) {
    String path = policy(request.runtime()).sshAuthMountPath();
    VolumeMount mount =
        new VolumeMountBuilder()
            .withName(SSH_VOLUME)
            .withMountPath(path == null ? "/root/.ssh" : path)
            .build();
    return podSet
        .withVolume(sshVolume(secret))
        .withContainer(TrainerApi.NODE, node -> ContainerEdits.withMount(node, mount));
  }

  private static PodSet launch(PodSet launcher, String hosts, int processes) {
    VolumeMount mount =
        new VolumeMountBuilder()
            .withName(HOSTFILE_VOLUME)
            .withMountPath(HOSTFILE_DIRECTORY)
            .build();
    List<EnvVar> env =
        List.of(
            FrameworkEnv.variable(HOSTFILE, HOSTFILE_DIRECTORY + "/" + HOSTFILE_NAME),
            FrameworkEnv.variable(KEEP_FQDN, "true"),
            FrameworkEnv.variable(SLOTS, String.valueOf(processes)),
            FrameworkEnv.variable(RSH_ARGS, "-o ConnectionAttempts=10"));
    return launcher
        .withVolume(hostfileVolume(hosts))
        .withContainer(
            TrainerApi.NODE,
            node -> ContainerEdits.withEnv(ContainerEdits.withMount(node, mount), env));
  }

  /** What the TrainJob says; else one process a GPU if the policy says 1; else what it says. */
  private static int processes(PlanRequest request, RuntimePlan plan) {
    if (request.trainer().numProcPerNode() != null) {
      return request.trainer().numProcPerNode();
    }
    Integer ofPolicy = policy(request.runtime()).numProcPerNode();
    int processes = ofPolicy == null ? 1 : ofPolicy;
    if (processes != 1) {
      return processes;
    }
    Optional<PodSet> nodes = plan.podSet(TrainerApi.NODE).or(plan::trainer);
    return Math.max(1, NodeResources.gpus(NodeResources.of(nodes)));
  }

  /** A line a pod that takes processes, in the order of the template. */
  private static String hostfile(PlanRequest request, RuntimePlan plan, int processes) {
    StringBuilder lines = new StringBuilder();
    for (PodSet podSet : hosts(request, plan)) {
      for (int replica = 0; replica < podSet.replicas(); replica++) {
        for (int pod = 0; pod < podSet.count(); pod++) {
          lines.append(line(plan.host(podSet.name(), replica, pod), processes));
        }
      }
    }
    return lines.toString();
  }

  private static String line(String host, int processes) {
    return host + " slots=" + processes + "\n";
  }

  /** Whose pods take processes. */
  private static List<PodSet> hosts(PlanRequest request, RuntimePlan plan) {
    return plan.podSets().stream()
        .filter(
            podSet ->
                podSet.name().equals(TrainerApi.NODE)
                    || (isLauncher(podSet.name()) && launcherIsNode(request)))
        .toList();
  }

  private static Volume sshVolume(String secret) {
    return new VolumeBuilder()
        .withName(SSH_VOLUME)
        .withNewSecret()
        .withSecretName(secret)
        .withDefaultMode(0400)
        .withItems(
            file(SshKeyPair.PRIVATE_KEY, "id_rsa", 0640),
            file(SshKeyPair.PUBLIC_KEY, "id_rsa.pub", 0644),
            file(SshKeyPair.PUBLIC_KEY, "authorized_keys", 0644))
        .endSecret()
        .build();
  }

  private static Volume hostfileVolume(String configMap) {
    return new VolumeBuilder()
        .withName(HOSTFILE_VOLUME)
        .withNewConfigMap()
        .withName(configMap)
        .withItems(file(HOSTFILE_NAME, HOSTFILE_NAME, 0444))
        .endConfigMap()
        .build();
  }

  private static KeyToPath file(String key, String path, int mode) {
    return new KeyToPathBuilder().withKey(key).withPath(path).withMode(mode).build();
  }

  private static Mpi policy(RuntimeResource runtime) {
    MLPolicy policy = runtime.getSpec().mlPolicy();
    return policy == null ? null : policy.mpi();
  }
}
