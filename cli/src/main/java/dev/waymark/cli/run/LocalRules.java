package dev.waymark.cli.run;

import dev.waymark.cli.text.PrintableText;
import dev.waymark.plan.PodSet;
import dev.waymark.plan.RuntimePlan;
import dev.waymark.trainer.api.MLPolicy;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.Trainer;
import dev.waymark.trainer.api.WaymarkAnnotations;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import java.io.File;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Decides what becomes of the parts of a TrainJob that a machine without a cluster can't honour.
 *
 * <p>The rule: what changes what the program computes or reads is refused, for a result under the
 * TrainJob's name would be another result; what only bounds, places, watches or protects the
 * program is a warning. Nothing is left out in silence but names, labels and ports, which mean
 * nothing to a process. The table below is the rule's application.
 */
final class LocalRules {

  /**
   * What is judged.
   *
   * @param trainer the pods that train
   * @param container the one of them that runs the program
   * @param root what stands in for the image, or null
   * @param pod the first pod, as it can ask about itself
   * @param shell variables that may stand in for Secrets and ConfigMaps
   */
  record Subject(
      TrainJob job,
      RuntimePlan plan,
      PodSet trainer,
      Container container,
      LocalRoot root,
      DownwardApi pod,
      Map<String, String> shell) {

    private PodSpec podSpec() {
      return trainer.podSpec();
    }

    private JobSpec jobSpec() {
      return trainer.job().template().getSpec();
    }

    private Machine machine() {
      return pod.machine();
    }
  }

  /** All that was found, as sentences for the user. */
  record Findings(List<String> refusals, List<String> warnings) {}

  private enum Verdict {
    REFUSED,
    WARNED
  }

  private record Rule(Verdict verdict, Function<Subject, Stream<String>> finds) {}

  private static final List<Rule> RULES =
      List.of(
          // What would not run at all.
          refuse(LocalRules::suspension),
          refuse(LocalRules::numberOfNodes),
          // What the program is.
          refuse(LocalRules::imageWithoutLocalRoot),
          refuse(LocalRules::entrypointOfImage),
          refuse(LocalRules::workingDirectory),
          // What it reads, and what prepares that.
          refuse(subject -> initializers(subject.job())),
          refuse(LocalRules::otherJobs),
          refuse(LocalRules::initContainers),
          refuse(LocalRules::sidecars),
          refuse(LocalRules::volumes),
          refuse(LocalRules::rawVolumes),
          refuse(LocalRules::hostAliases),
          refuse(LocalRules::variableSources),
          refuse(LocalRules::variables),
          refuse(LocalRules::impossibleVariables),
          refuse(LocalRules::startHook),
          // What it computes on.
          refuse(LocalRules::absentDevices),
          refuse(LocalRules::resourceClaims),
          // What may be meant to be this machine's: its /bin/sh, or a folder for the result.
          warn(LocalRules::pathsOutsideTheRoot),
          // What bounds, places, watches or protects it.
          warn(LocalRules::sharedMemory),
          warn(LocalRules::bounds),
          warn(LocalRules::placement),
          warn(LocalRules::surroundings),
          warn(LocalRules::watching),
          warn(LocalRules::protection));

  /** Each is a process, most often a JVM of 100 MB and more: as many as a large laptop holds. */
  static final int MOST_NODES = 64;

  /** Of a variable or a path, for a message; in UTF-16 units. */
  private static final int LONGEST_NAME = 64;

  private LocalRules() {}

  static Findings judge(Subject subject) {
    List<String> refusals = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    subject.plan().warnings().forEach(warning -> warnings.add(warning.message()));
    for (Rule rule : RULES) {
      List<String> found = rule.verdict() == Verdict.REFUSED ? refusals : warnings;
      rule.finds().apply(subject).forEach(found::add);
    }
    return new Findings(List.copyOf(refusals), List.copyOf(warnings));
  }

  /** What is refused before a plan is made, which would take its time and memory for them. */
  static Stream<String> tooManyNodes(TrainJob job, RuntimeResource runtime) {
    Trainer trainer = job.getSpec().trainer();
    MLPolicy policy = runtime.getSpec() == null ? null : runtime.getSpec().mlPolicy();
    Integer asked = trainer == null ? null : trainer.numNodes();
    if (asked == null && policy != null) {
      asked = policy.numNodes();
    }
    return asked == null ? Stream.of() : tooManyNodes(asked);
  }

  private static Stream<String> tooManyNodes(int nodes) {
    return when(
        nodes > MOST_NODES,
        "The trainer has %d nodes, and each would be a process here; at most %d can run here. Set"
                .formatted(nodes, MOST_NODES)
            + " spec.trainer.numNodes to less");
  }

  private static Stream<String> suspension(Subject subject) {
    return when(
        subject.plan().suspend(),
        "spec.suspend is true, so the TrainJob is not to run yet. Set it to false");
  }

  private static Stream<String> numberOfNodes(Subject subject) {
    return Stream.concat(
        tooManyNodes(subject.trainer().count()),
        when(
            subject.trainer().count() == 0 || subject.trainer().replicas() != 1,
            "The trainer has %d nodes in %d replicas; one replica of at least one node can run here"
                .formatted(subject.trainer().count(), subject.trainer().replicas())));
  }

  private static Stream<String> imageWithoutLocalRoot(Subject subject) {
    return when(
        subject.root() == null,
        "The image %s can't run here. Annotate the TrainJob with %s: DIR, where DIR holds what the"
                .formatted(subject.container().getImage(), WaymarkAnnotations.LOCAL_ROOT)
            + " image holds, counted from the TrainJob's file");
  }

  private static Stream<String> entrypointOfImage(Subject subject) {
    return when(
        isEmpty(subject.container().getCommand()),
        "No command is given, and the image's own is not known here. Say it in"
            + " spec.trainer.command");
  }

  private static Stream<String> workingDirectory(Subject subject) {
    String directory = subject.container().getWorkingDir();
    if (subject.root() == null || directory == null || directory.isEmpty()) {
      return Stream.of();
    }
    return when(
        subject.root().directory(directory) == null,
        "The working directory %s is not there: expected below %s, which stands in for the image"
            .formatted(directory, subject.root().folder()));
  }

  /** Needs no plan. */
  static Stream<String> initializers(TrainJob job) {
    return when(
        job.getSpec() != null && job.getSpec().initializer() != null,
        "spec.initializer would fetch a dataset or a model. Fetch it by hand, and leave the"
            + " initializer out");
  }

  private static Stream<String> otherJobs(Subject subject) {
    return subject.plan().podSets().stream()
        .filter(podSet -> !podSet.name().equals(subject.trainer().name()))
        .map(
            podSet ->
                "The runtime's job %s would run beside or before the trainer. Only the trainer runs"
                        .formatted(podSet.name())
                    + " here");
  }

  private static Stream<String> initContainers(Subject subject) {
    return stream(subject.podSpec().getInitContainers())
        .map(
            container ->
                "The init container %s would prepare the pod; it can't run here"
                    .formatted(container.getName()));
  }

  private static Stream<String> sidecars(Subject subject) {
    return stream(subject.podSpec().getContainers())
        .filter(container -> !container.getName().equals(subject.container().getName()))
        .map(
            container ->
                "The container %s would run beside the program; it can't run here"
                    .formatted(container.getName()));
  }

  private static Stream<String> volumes(Subject subject) {
    return stream(subject.container().getVolumeMounts())
        .filter(mount -> !isSharedMemory(mount))
        .map(
            mount ->
                "The volume %s at %s is not here. Leave it out, and put what it holds into the"
                        .formatted(mount.getName(), mount.getMountPath())
                    + " local root");
  }

  private static Stream<String> rawVolumes(Subject subject) {
    return stream(subject.container().getVolumeDevices())
        .map(
            device ->
                "The block device %s at %s is not here. Leave it out"
                    .formatted(device.getName(), device.getDevicePath()));
  }

  private static Stream<String> hostAliases(Subject subject) {
    return stream(subject.podSpec().getHostAliases())
        .map(
            alias ->
                "hostAliases would give %s the name %s; here names mean what they mean on this"
                        .formatted(alias.getIp(), named(alias.getHostnames()))
                    + " machine. Leave them out, and have the program use the address");
  }

  private static Stream<String> variableSources(Subject subject) {
    return stream(subject.container().getEnvFrom())
        .map(
            source ->
                "envFrom takes all variables of a Secret or ConfigMap, which is not here. Name each"
                    + " of them in env");
  }

  private static Stream<String> variables(Subject subject) {
    return ContainerVariables.unresolved(subject.container(), subject.pod(), subject.shell())
        .stream()
        .map(
            variable ->
                "The variable %s has its value from something that is not here. Set %s in this"
                        .formatted(variable.getName(), variable.getName())
                    + " shell to stand in for it");
  }

  /** What Kubernetes refuses as well, but no sooner than the pod is made. */
  private static Stream<String> impossibleVariables(Subject subject) {
    return stream(subject.container().getEnv())
        .filter(variable -> !canBeInAnEnvironment(variable))
        .map(
            variable ->
                "The variable %s can't be given to a process: a name holds no \"=\", and neither"
                        .formatted(PrintableText.of(variable.getName(), LONGEST_NAME))
                    + " name nor value holds a zero character");
  }

  private static boolean canBeInAnEnvironment(EnvVar variable) {
    String value = variable.getValue();
    return variable.getName().indexOf('=') < 0
        && variable.getName().indexOf('\0') < 0
        && (value == null || value.indexOf('\0') < 0);
  }

  private static Stream<String> startHook(Subject subject) {
    return when(
        subject.container().getLifecycle() != null
            && subject.container().getLifecycle().getPostStart() != null,
        "The container's postStart hook would run in the pod; it can't run here");
  }

  private static Stream<String> absentDevices(Subject subject) {
    int nodes = subject.trainer().count();
    return amounts(subject).entrySet().stream()
        .filter(entry -> isDevice(entry.getKey()))
        .filter(entry -> isMore(entry.getValue(), nodes, devices(subject, entry)))
        .map(
            entry ->
                "Each of %d nodes asks for %s of %s; %s %d"
                    .formatted(
                        nodes,
                        entry.getValue(),
                        entry.getKey(),
                        whoHasDevices(subject, entry.getKey()),
                        devices(subject, entry)));
  }

  private static Stream<String> resourceClaims(Subject subject) {
    return stream(subject.podSpec().getResourceClaims())
        .map(
            claim ->
                "The resource claim %s would bring a device, which is not here. Leave it out"
                    .formatted(claim.getName()));
  }

  private static String whoHasDevices(Subject subject, String resource) {
    String variable = Machine.visibilityVariable(resource);
    return variable != null && subject.shell().containsKey(variable)
        ? variable + " of this shell names"
        : "this machine has";
  }

  private static Stream<String> pathsOutsideTheRoot(Subject subject) {
    LocalRoot root = subject.root();
    if (root == null) {
      return Stream.of();
    }
    // As they are written: what a reference stands for may be a secret.
    Stream<String> values = stream(subject.container().getEnv()).map(EnvVar::getValue);
    List<String> outside =
        Stream.of(
                stream(subject.container().getCommand()),
                stream(subject.container().getArgs()),
                values)
            .flatMap(Function.identity())
            .filter(Objects::nonNull)
            .flatMap(root::pathsOutside)
            .filter(path -> !JavaCommand.isOwnAgent(path))
            .distinct()
            .map(LocalRules::withPresence)
            .toList();
    return together(
        "Not below %s, which stands in for the image, and so looked for on this machine itself: "
            .formatted(root.folder()),
        outside);
  }

  private static String withPresence(String path) {
    String name = PrintableText.of(path, LONGEST_NAME);
    return new File(path).exists() ? name : name + " (not there)";
  }

  private static Stream<String> sharedMemory(Subject subject) {
    return stream(subject.container().getVolumeMounts())
        .filter(LocalRules::isSharedMemory)
        .map(mount -> "/dev/shm is this machine's own, with its own size");
  }

  private static Stream<String> bounds(Subject subject) {
    List<String> unbound = new ArrayList<>();
    amounts(subject).keySet().stream().filter(name -> !isDevice(name)).forEach(unbound::add);
    boolean deadline =
        subject.job().getSpec().activeDeadlineSeconds() != null
            || subject.podSpec().getActiveDeadlineSeconds() != null
            || subject.jobSpec().getActiveDeadlineSeconds() != null;
    add(unbound, "activeDeadlineSeconds", deadline);
    return together("Not enforced here: ", unbound);
  }

  private static Stream<String> placement(Subject subject) {
    PodSpec pod = subject.podSpec();
    List<String> placing = new ArrayList<>();
    add(placing, "nodeSelector", pod.getNodeSelector() != null && !pod.getNodeSelector().isEmpty());
    add(placing, "affinity", pod.getAffinity() != null);
    add(placing, "tolerations", !isEmpty(pod.getTolerations()));
    add(placing, "topologySpreadConstraints", !isEmpty(pod.getTopologySpreadConstraints()));
    add(placing, "schedulingGates", !isEmpty(pod.getSchedulingGates()));
    add(placing, "priorityClassName", pod.getPriorityClassName() != null);
    add(placing, "schedulerName", pod.getSchedulerName() != null);
    return together("Without meaning here: ", placing);
  }

  private static Stream<String> surroundings(Subject subject) {
    PodSpec pod = subject.podSpec();
    List<String> around = new ArrayList<>();
    add(around, "hostNetwork", Boolean.TRUE.equals(pod.getHostNetwork()));
    add(around, "dnsConfig", pod.getDnsConfig() != null);
    add(around, "hostname", pod.getHostname() != null);
    add(around, "subdomain", pod.getSubdomain() != null);
    add(around, "hostPID", Boolean.TRUE.equals(pod.getHostPID()));
    add(around, "hostIPC", Boolean.TRUE.equals(pod.getHostIPC()));
    add(around, "shareProcessNamespace", Boolean.TRUE.equals(pod.getShareProcessNamespace()));
    return together(
        "The program has this machine's network, name and processes here, whatever is said by ",
        around);
  }

  private static Stream<String> watching(Subject subject) {
    Container container = subject.container();
    List<String> watching = new ArrayList<>();
    add(watching, "livenessProbe", container.getLivenessProbe() != null);
    add(watching, "readinessProbe", container.getReadinessProbe() != null);
    add(watching, "startupProbe", container.getStartupProbe() != null);
    add(
        watching,
        "preStop",
        container.getLifecycle() != null && container.getLifecycle().getPreStop() != null);
    add(watching, "restartPolicy", "OnFailure".equals(subject.podSpec().getRestartPolicy()));
    Integer backoffLimit = subject.jobSpec().getBackoffLimit();
    add(watching, "backoffLimit", backoffLimit != null && backoffLimit > 0);
    add(watching, "failurePolicy", subject.plan().jobSet().failurePolicy() != null);
    return together("Nobody probes or restarts the program here: ", watching);
  }

  private static Stream<String> protection(Subject subject) {
    PodSpec pod = subject.podSpec();
    List<String> protecting = new ArrayList<>();
    add(
        protecting,
        "securityContext",
        pod.getSecurityContext() != null || subject.container().getSecurityContext() != null);
    add(protecting, "runtimeClassName", pod.getRuntimeClassName() != null);
    add(protecting, "serviceAccountName", pod.getServiceAccountName() != null);
    return together("The program runs with your own rights here, without ", protecting);
  }

  private static Map<String, Quantity> amounts(Subject subject) {
    Map<String, Quantity> amounts = new TreeMap<>();
    if (subject.container().getResources() != null) {
      putAll(amounts, subject.container().getResources().getRequests());
      putAll(amounts, subject.container().getResources().getLimits());
    }
    return amounts;
  }

  /**
   * Extended resources have a domain; those of Kubernetes itself (cpu, hugepages-2Mi) have none.
   */
  private static boolean isDevice(String resource) {
    return resource.contains("/");
  }

  private static int devices(Subject subject, Map.Entry<String, Quantity> resource) {
    return subject.machine().visibleDevices(resource.getKey(), subject.shell()).size();
  }

  private static boolean isMore(Quantity each, int nodes, int available) {
    BigDecimal asked = each.getNumericalAmount().multiply(BigDecimal.valueOf(nodes));
    return asked.compareTo(BigDecimal.valueOf(available)) > 0;
  }

  private static boolean isSharedMemory(VolumeMount mount) {
    return "/dev/shm".equals(mount.getMountPath());
  }

  private static String named(List<String> names) {
    return names == null ? "" : String.join(", ", names);
  }

  private static void putAll(Map<String, Quantity> all, Map<String, Quantity> some) {
    if (some != null) {
      all.putAll(some);
    }
  }

  private static void add(List<String> names, String name, boolean present) {
    if (present) {
      names.add(name);
    }
  }

  private static Stream<String> together(String sentence, List<String> names) {
    return when(!names.isEmpty(), sentence + String.join(", ", names));
  }

  private static Stream<String> when(boolean found, String sentence) {
    return found ? Stream.of(sentence) : Stream.of();
  }

  private static boolean isEmpty(Collection<?> items) {
    return items == null || items.isEmpty();
  }

  private static <T> Stream<T> stream(List<T> items) {
    return items == null ? Stream.of() : items.stream();
  }

  private static Rule refuse(Function<Subject, Stream<String>> finds) {
    return new Rule(Verdict.REFUSED, finds);
  }

  private static Rule warn(Function<Subject, Stream<String>> finds) {
    return new Rule(Verdict.WARNED, finds);
  }
}
