package dev.waymark.cli.run;

import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceFieldSelector;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a pod may ask about itself ({@code fieldRef}, {@code resourceFieldRef}), answered for a
 * process on this machine.
 *
 * @param podName as the cluster would call the pod
 * @param namespace of the TrainJob
 * @param index of the pod within its job
 * @param labels of the pod
 * @param annotations of the pod, without those that Kubernetes adds
 * @param serviceAccount that the pod runs as
 * @param resources of the container, or null
 * @param machine what the node has
 */
record DownwardApi(
    String podName,
    String namespace,
    int index,
    Map<String, String> labels,
    Map<String, String> annotations,
    String serviceAccount,
    ResourceRequirements resources,
    Machine machine) {

  private static final Pattern SUBSCRIPT =
      Pattern.compile("metadata\\.(labels|annotations)\\['([^']+)'\\]");

  /** The value of a field of the pod; empty when a process on this machine has none. */
  Optional<String> field(String path) {
    Matcher subscript = SUBSCRIPT.matcher(path);
    if (subscript.matches()) {
      return Optional.of(
          subscript.group(1).equals("labels")
              ? labels.getOrDefault(subscript.group(2), "")
              : annotation(subscript.group(2)));
    }
    return switch (path) {
      case "metadata.name" -> Optional.of(podName);
      case "metadata.namespace" -> Optional.of(namespace);
      case "spec.nodeName" -> Optional.of("localhost");
      case "spec.serviceAccountName" -> Optional.of(serviceAccount);
      case "status.hostIP", "status.podIP", "status.hostIPs", "status.podIPs" ->
          Optional.of("127.0.0.1");
      default -> Optional.empty();
    };
  }

  /**
   * An amount of CPU or memory, in units of the divisor, rounded up as kubelet does. A container
   * without a limit may use the whole node.
   */
  Optional<String> resource(ResourceFieldSelector selector) {
    String[] parts = selector.getResource().split("\\.", 2);
    if (parts.length != 2) {
      return Optional.empty();
    }
    Optional<BigDecimal> amount =
        switch (parts[0]) {
          case "limits" -> limit(parts[1]);
          case "requests" -> request(parts[1]);
          default -> Optional.empty();
        };
    return amount.map(a -> inUnits(a, selector.getDivisor()));
  }

  private String annotation(String name) {
    return name.equals(TrainerApi.COMPLETION_INDEX_ANNOTATION)
        ? Integer.toString(index)
        : annotations.getOrDefault(name, "");
  }

  private Optional<BigDecimal> limit(String resource) {
    return amount(resources == null ? null : resources.getLimits(), resource)
        .or(() -> wholeNode(resource));
  }

  private Optional<BigDecimal> request(String resource) {
    // Kubernetes fills in a request from the limit, and otherwise asks for nothing.
    return amount(resources == null ? null : resources.getRequests(), resource)
        .or(() -> amount(resources == null ? null : resources.getLimits(), resource))
        .or(() -> wholeNode(resource).map(node -> BigDecimal.ZERO));
  }

  private static Optional<BigDecimal> amount(Map<String, Quantity> amounts, String resource) {
    return Optional.ofNullable(amounts)
        .map(all -> all.get(resource))
        .map(Quantity::getNumericalAmount);
  }

  private Optional<BigDecimal> wholeNode(String resource) {
    return switch (resource) {
      case "cpu" -> Optional.of(BigDecimal.valueOf(machine.processors()));
      case "memory" -> Optional.of(BigDecimal.valueOf(machine.memoryBytes()));
      default -> Optional.empty();
    };
  }

  private static String inUnits(BigDecimal amount, Quantity divisor) {
    BigDecimal unit = divisor == null ? BigDecimal.ZERO : divisor.getNumericalAmount();
    return amount
        .divide(unit.signum() == 0 ? BigDecimal.ONE : unit, 0, RoundingMode.CEILING)
        .toPlainString();
  }
}
