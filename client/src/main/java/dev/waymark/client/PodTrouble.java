package dev.waymark.client;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Says why a pod doesn't run, or what has gone wrong in it. */
final class PodTrouble {

  /** How far a container has come that is on its way, which is no trouble. */
  private static final List<String> ON_THE_WAY = List.of("ContainerCreating", "PodInitializing");

  /** For people, in one line; empty if nothing is known to be wrong. */
  static String of(Pod pod) {
    PodStatus status = pod.getStatus();
    if (status == null) {
      return "";
    }
    return Stream.of(
            containers(status).map(PodTrouble::waiting),
            containers(status).map(PodTrouble::failed),
            Stream.of(ofPod(status)),
            Stream.of(unscheduled(status)))
        .flatMap(all -> all)
        .flatMap(Optional::stream)
        .findFirst()
        .orElse("");
  }

  /** Init containers come first, as they do in a pod's life. */
  private static Stream<ContainerStatus> containers(PodStatus status) {
    return Stream.of(status.getInitContainerStatuses(), status.getContainerStatuses())
        .filter(all -> all != null)
        .flatMap(List::stream);
  }

  private static Optional<String> waiting(ContainerStatus container) {
    ContainerStateWaiting waiting =
        container.getState() == null ? null : container.getState().getWaiting();
    if (waiting == null || waiting.getReason() == null || isOnTheWay(waiting)) {
      return Optional.empty();
    }
    Optional<String> last = terminated(container.getName(), container.getLastState());
    return Optional.of(
        joined(waiting.getReason(), waiting.getMessage()) + last.map(it -> ", " + it).orElse(""));
  }

  private static boolean isOnTheWay(ContainerStateWaiting waiting) {
    return ON_THE_WAY.contains(waiting.getReason());
  }

  private static Optional<String> failed(ContainerStatus container) {
    return terminated(container.getName(), container.getState());
  }

  private static Optional<String> terminated(String container, ContainerState state) {
    ContainerStateTerminated end = state == null ? null : state.getTerminated();
    if (end == null || end.getExitCode() == null || end.getExitCode() == 0) {
      return Optional.empty();
    }
    boolean isSaid = end.getReason() == null || end.getReason().equals("Error");
    return Optional.of(
        "container "
            + container
            + " exited with "
            + end.getExitCode()
            + (isSaid ? "" : " (" + end.getReason() + ")")
            + (isEmpty(end.getMessage()) ? "" : ": " + end.getMessage().strip()));
  }

  /** Such as an eviction. */
  private static Optional<String> ofPod(PodStatus status) {
    return isEmpty(status.getReason())
        ? Optional.empty()
        : Optional.of(joined(status.getReason(), status.getMessage()));
  }

  private static Optional<String> unscheduled(PodStatus status) {
    return Stream.ofNullable(status.getConditions())
        .flatMap(List::stream)
        .filter(it -> "PodScheduled".equals(it.getType()) && "False".equals(it.getStatus()))
        .map(PodTrouble::text)
        .findFirst();
  }

  private static String text(PodCondition condition) {
    return joined(condition.getReason(), condition.getMessage());
  }

  private static String joined(String reason, String message) {
    if (isEmpty(reason)) {
      return isEmpty(message) ? "" : message.strip();
    }
    return isEmpty(message) ? reason : reason + ": " + message.strip();
  }

  private static boolean isEmpty(String text) {
    return text == null || text.isBlank();
  }

  private PodTrouble() {}
}
