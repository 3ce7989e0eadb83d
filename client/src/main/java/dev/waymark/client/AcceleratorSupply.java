package dev.waymark.client;

import dev.waymark.client.Finding.Verdict;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which accelerators a cluster's nodes have, and whether its runtimes ask for others. */
final class AcceleratorSupply {

  private static final String PART = "accelerators";

  private final DeviceMap devices;
  private final int nodes;

  /** By resource, on all nodes: what is in them, and what of it pods can have. */
  private final Map<String, BigDecimal> capacity = new TreeMap<>();

  private final Map<String, BigDecimal> allocatable = new TreeMap<>();

  private AcceleratorSupply(List<Node> nodes, DeviceMap devices) {
    this.devices = devices;
    this.nodes = nodes.size();
    for (Node node : nodes) {
      if (node.getStatus() != null) {
        add(node.getStatus().getCapacity(), capacity);
        add(node.getStatus().getAllocatable(), allocatable);
      }
    }
  }

  private void add(Map<String, Quantity> ofNode, Map<String, BigDecimal> sums) {
    if (ofNode != null) {
      ofNode.forEach(
          (resource, amount) -> {
            // A device plugin that has gone leaves a 0.
            if (devices.isAccelerator(resource) && amount.getNumericalAmount().signum() > 0) {
              sums.merge(resource, amount.getNumericalAmount(), BigDecimal::add);
            }
          });
    }
  }

  static Finding of(List<Node> nodes, List<TrainerRuntime> runtimes, DeviceMap devices) {
    return new AcceleratorSupply(nodes, devices).finding(runtimes);
  }

  private Finding finding(List<TrainerRuntime> runtimes) {
    List<String> troubles = new ArrayList<>();
    capacity.forEach(
        (resource, amount) -> {
          if (!allocatable.containsKey(resource)) {
            troubles.add(
                "none of "
                    + amount.toPlainString()
                    + " "
                    + resource
                    + " can be had: their device plugin calls them unhealthy, or is away");
          }
        });
    missing(runtimes)
        .forEach(
            (resource, by) ->
                troubles.add(
                    "no node has "
                        + resource
                        + ", which "
                        + String.join(", ", by)
                        + " asks for: is its device plugin installed?"));
    if (!troubles.isEmpty()) {
      return new Finding(PART, Verdict.WARNING, String.join("; ", troubles));
    }
    return allocatable.isEmpty()
        ? new Finding(PART, Verdict.WARNING, "none on " + nodes + " nodes")
        : new Finding(PART, Verdict.OK, allocatable + " on " + nodes + " nodes");
  }

  /** Runtimes by the accelerator that they ask for and no node has. */
  private Map<String, List<String>> missing(List<TrainerRuntime> runtimes) {
    Map<String, List<String>> missing = new TreeMap<>();
    for (TrainerRuntime runtime : runtimes) {
      RuntimeReader.trainer(runtime.resource())
          .map(Container::getResources)
          .map(ResourceRequirements::getLimits)
          .orElse(Map.of())
          .keySet()
          .stream()
          .filter(devices::isAccelerator)
          .filter(resource -> !capacity.containsKey(resource))
          .forEach(
              resource ->
                  missing.computeIfAbsent(resource, it -> new ArrayList<>()).add(runtime.name()));
    }
    return missing;
  }
}
