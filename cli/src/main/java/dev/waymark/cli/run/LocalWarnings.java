package dev.waymark.cli.run;

import static dev.waymark.cli.run.LocalSubject.each;

import dev.waymark.cli.text.PrintableText;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.io.File;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/** Finds what a TrainJob asks for in vain here, and its program does without. */
final class LocalWarnings {

  private static final List<Function<LocalSubject, Stream<String>>> RULES =
      List.of(
          // What may be meant to be this machine's: its /bin/sh, or a folder for the result.
          LocalWarnings::pathsOutsideTheRoot,
          // What bounds, places, watches or protects the program.
          LocalWarnings::sharedMemory,
          LocalWarnings::bounds,
          LocalWarnings::placement,
          LocalWarnings::surroundings,
          LocalWarnings::watching,
          LocalWarnings::protection);

  /** Of a path, for a message; in UTF-16 units. */
  private static final int LONGEST_NAME = 64;

  private LocalWarnings() {}

  /** What is warned of, as sentences for the user. */
  static Stream<String> of(LocalSubject subject) {
    return RULES.stream().flatMap(rule -> rule.apply(subject));
  }

  private static Stream<String> pathsOutsideTheRoot(LocalSubject subject) {
    LocalRoot root = subject.root();
    if (root == null) {
      return Stream.of();
    }
    // As they are written: what a reference stands for may be a secret.
    Stream<String> values = subject.variables().map(EnvVar::getValue);
    List<String> outside =
        Stream.of(
                each(subject.container().getCommand()), each(subject.container().getArgs()), values)
            .flatMap(Function.identity())
            .filter(Objects::nonNull)
            .flatMap(root::pathsOutside)
            .filter(path -> !JavaCommand.isOwnAgent(path))
            .distinct()
            .map(LocalWarnings::withPresence)
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

  private static Stream<String> sharedMemory(LocalSubject subject) {
    return subject
        .volumes(/* sharedMemory= */ true)
        .map(mount -> "/dev/shm is this machine's own, with its own size");
  }

  private static Stream<String> bounds(LocalSubject subject) {
    List<String> unbound = new ArrayList<>(subject.resources(/* devices= */ false).keySet());
    boolean deadline =
        subject.job().getSpec().activeDeadlineSeconds() != null
            || subject.podSpec().getActiveDeadlineSeconds() != null
            || subject.jobSpec().getActiveDeadlineSeconds() != null;
    add(unbound, "activeDeadlineSeconds", deadline);
    return together("Not enforced here: ", unbound);
  }

  private static Stream<String> placement(LocalSubject subject) {
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

  private static Stream<String> surroundings(LocalSubject subject) {
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

  private static Stream<String> watching(LocalSubject subject) {
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

  private static Stream<String> protection(LocalSubject subject) {
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

  private static void add(List<String> names, String name, boolean present) {
    if (present) {
      names.add(name);
    }
  }

  private static Stream<String> together(String sentence, List<String> names) {
    return names.isEmpty() ? Stream.of() : Stream.of(sentence + String.join(", ", names));
  }

  private static boolean isEmpty(Collection<?> items) {
    return items == null || items.isEmpty();
  }
}
