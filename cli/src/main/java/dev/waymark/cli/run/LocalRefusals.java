package dev.waymark.cli.run;

import static dev.waymark.cli.run.LocalSubject.each;
import static java.util.stream.Collectors.joining;

import dev.waymark.cli.text.PrintableText;
import dev.waymark.trainer.api.MLPolicy;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.Trainer;
import dev.waymark.trainer.api.WaymarkAnnotations;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** Finds what a TrainJob asks for without which its program would not run, or be another one. */
final class LocalRefusals {

  private static final List<Function<LocalSubject, Stream<String>>> RULES =
      List.of(
          // What would not run at all.
          LocalRefusals::suspension,
          LocalRefusals::numberOfNodes,
          // What the program is.
          LocalRefusals::imageWithoutLocalRoot,
          LocalRefusals::entrypointOfImage,
          LocalRefusals::workingDirectory,
          // What it reads, and what prepares that.
          subject -> initializers(subject.job()),
          LocalRefusals::otherJobs,
          LocalRefusals::initContainers,
          LocalRefusals::sidecars,
          LocalRefusals::volumes,
          LocalRefusals::rawVolumes,
          LocalRefusals::hostAliases,
          LocalRefusals::variableSources,
          LocalRefusals::variables,
          LocalRefusals::impossibleVariables,
          LocalRefusals::startHook,
          // What it computes on.
          LocalRefusals::absentDevices,
          LocalRefusals::resourceClaims);

  /** Each is a process, most often a JVM of 100 MB and more: as many as a large laptop holds. */
  private static final int MOST_NODES = 64;

  /** Of a variable, for a message; in UTF-16 units. */
  private static final int LONGEST_NAME = 64;

  private LocalRefusals() {}

  /** What is refused, as sentences for the user. */
  static Stream<String> of(LocalSubject subject) {
    return RULES.stream().flatMap(rule -> rule.apply(subject));
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

  private static Stream<String> suspension(LocalSubject subject) {
    return when(
        subject.plan().suspend(),
        "spec.suspend is true, so the TrainJob is not to run yet. Set it to false");
  }

  private static Stream<String> numberOfNodes(LocalSubject subject) {
    return Stream.concat(
        tooManyNodes(subject.trainer().count()),
        when(
            subject.trainer().count() == 0 || subject.trainer().replicas() != 1,
            "The trainer has %d nodes in %d replicas; one replica of at least one node can run here"
                .formatted(subject.trainer().count(), subject.trainer().replicas())));
  }

  private static Stream<String> imageWithoutLocalRoot(LocalSubject subject) {
    return when(
        subject.root() == null,
        "The image %s can't run here. Annotate the TrainJob with %s: DIR, where DIR holds what the"
                .formatted(subject.container().getImage(), WaymarkAnnotations.LOCAL_ROOT)
            + " image holds, counted from the TrainJob's file");
  }

  private static Stream<String> entrypointOfImage(LocalSubject subject) {
    return when(
        each(subject.container().getCommand()).findAny().isEmpty(),
        "No command is given, and the image's own is not known here. Say it in"
            + " spec.trainer.command");
  }

  private static Stream<String> workingDirectory(LocalSubject subject) {
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

  private static Stream<String> otherJobs(LocalSubject subject) {
    return subject.plan().podSets().stream()
        .filter(podSet -> !podSet.name().equals(subject.trainer().name()))
        .map(
            podSet ->
                "The runtime's job %s would run beside or before the trainer. Only the trainer runs"
                        .formatted(podSet.name())
                    + " here");
  }

  private static Stream<String> initContainers(LocalSubject subject) {
    return each(subject.podSpec().getInitContainers())
        .map(
            container ->
                "The init container %s would prepare the pod; it can't run here"
                    .formatted(container.getName()));
  }

  private static Stream<String> sidecars(LocalSubject subject) {
    return each(subject.podSpec().getContainers())
        .filter(container -> !container.getName().equals(subject.container().getName()))
        .map(
            container ->
                "The container %s would run beside the program; it can't run here"
                    .formatted(container.getName()));
  }

  private static Stream<String> volumes(LocalSubject subject) {
    return subject
        .volumes(/* sharedMemory= */ false)
        .map(
            mount ->
                "The volume %s at %s is not here. Leave it out, and put what it holds into the"
                        .formatted(mount.getName(), mount.getMountPath())
                    + " local root");
  }

  private static Stream<String> rawVolumes(LocalSubject subject) {
    return each(subject.container().getVolumeDevices())
        .map(
            device ->
                "The block device %s at %s is not here. Leave it out"
                    .formatted(device.getName(), device.getDevicePath()));
  }

  private static Stream<String> hostAliases(LocalSubject subject) {
    return each(subject.podSpec().getHostAliases())
        .map(
            alias ->
                "hostAliases would give %s the name %s; here names mean what they mean on this"
                        .formatted(alias.getIp(), each(alias.getHostnames()).collect(joining(", ")))
                    + " machine. Leave them out, and have the program use the address");
  }

  private static Stream<String> variableSources(LocalSubject subject) {
    return each(subject.container().getEnvFrom())
        .map(
            source ->
                "envFrom takes all variables of a Secret or ConfigMap, which is not here. Name each"
                    + " of them in env");
  }

  private static Stream<String> variables(LocalSubject subject) {
    return ContainerVariables.unresolved(subject.container(), subject.pod(), subject.shell())
        .stream()
        .map(
            variable ->
                "The variable %s has its value from something that is not here. Set %s in this"
                        .formatted(variable.getName(), variable.getName())
                    + " shell to stand in for it");
  }

  /** What Kubernetes refuses as well, but no sooner than the pod is made. */
  private static Stream<String> impossibleVariables(LocalSubject subject) {
    return subject
        .variables()
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

  private static Stream<String> startHook(LocalSubject subject) {
    return when(
        subject.container().getLifecycle() != null
            && subject.container().getLifecycle().getPostStart() != null,
        "The container's postStart hook would run in the pod; it can't run here");
  }

  private static Stream<String> absentDevices(LocalSubject subject) {
    int nodes = subject.trainer().count();
    return subject.resources(/* devices= */ true).entrySet().stream()
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

  private static Stream<String> resourceClaims(LocalSubject subject) {
    return each(subject.podSpec().getResourceClaims())
        .map(
            claim ->
                "The resource claim %s would bring a device, which is not here. Leave it out"
                    .formatted(claim.getName()));
  }

  private static String whoHasDevices(LocalSubject subject, String resource) {
    String variable = Machine.visibilityVariable(resource);
    return variable != null && subject.shell().containsKey(variable)
        ? variable + " of this shell names"
        : "this machine has";
  }

  private static int devices(LocalSubject subject, Map.Entry<String, Quantity> resource) {
    return subject.machine().visibleDevices(resource.getKey(), subject.shell()).size();
  }

  private static boolean isMore(Quantity perNode, int nodes, int available) {
    BigDecimal asked = perNode.getNumericalAmount().multiply(BigDecimal.valueOf(nodes));
    return asked.compareTo(BigDecimal.valueOf(available)) > 0;
  }

  private static Stream<String> when(boolean found, String sentence) {
    return found ? Stream.of(sentence) : Stream.of();
  }
}
