package dev.waymark.cli.run;

import dev.waymark.plan.VariableExpansion;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The variables that a container's {@code env} gives to a process on this machine.
 *
 * <p>What lies in a Secret or ConfigMap is not here. A variable of the same name in the shell that
 * started Waymark stands in for it.
 */
final class ContainerVariables {

  private ContainerVariables() {}

  /**
   * All of them, in order, each with the references to earlier ones expanded.
   *
   * @param container none of whose variables are {@link #unresolved}
   * @param root where absolute paths of the image are found
   */
  static Map<String, String> of(
      Container container, DownwardApi pod, LocalRoot root, Map<String, String> shell) {
    // Names are looked up for each source; the planner's function hands over the source alone.
    Map<EnvVarSource, String> names = new IdentityHashMap<>();
    declared(container).forEach(variable -> names.put(variable.getValueFrom(), variable.getName()));
    Map<String, String> variables =
        VariableExpansion.environment(
            declared(container),
            source -> from(names.get(source), source, pod, shell).orElse(null));
    variables.replaceAll((name, value) -> root.resolveIn(value));
    return variables;
  }

  /** Those that have no value here, and would have one in a cluster. */
  static List<EnvVar> unresolved(Container container, DownwardApi pod, Map<String, String> shell) {
    return declared(container).stream()
        .filter(variable -> variable.getValueFrom() != null)
        .filter(variable -> !isOptional(variable.getValueFrom()))
        .filter(variable -> from(variable.getName(), variable.getValueFrom(), pod, shell).isEmpty())
        .toList();
  }

  private static List<EnvVar> declared(Container container) {
    return container.getEnv() == null ? List.of() : container.getEnv();
  }

  private static Optional<String> from(
      String name, EnvVarSource source, DownwardApi pod, Map<String, String> shell) {
    if (source.getFieldRef() != null) {
      return pod.field(source.getFieldRef().getFieldPath());
    }
    if (source.getResourceFieldRef() != null) {
      return pod.resource(source.getResourceFieldRef());
    }
    return Optional.ofNullable(shell.get(name));
  }

  private static boolean isOptional(EnvVarSource source) {
    return (source.getSecretKeyRef() != null
            && Boolean.TRUE.equals(source.getSecretKeyRef().getOptional()))
        || (source.getConfigMapKeyRef() != null
            && Boolean.TRUE.equals(source.getConfigMapKeyRef().getOptional()));
  }
}
