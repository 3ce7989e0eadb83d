package dev.waymark.client;

import dev.waymark.trainer.api.FieldProblem;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * What each node of a TrainJob is to have, as people say it: {@code gpu=2}, {@code cpu=8}, {@code
 * memory=32Gi}. Requests and limits are the same, as with the Kubeflow SDK.
 */
final class ResourcesPerNode {

  private static final String FIELD = "spec.trainer.resourcesPerNode";

  /** What a container can have beside what some domain has named. */
  private static final Pattern OF_KUBERNETES =
      Pattern.compile("cpu|memory|ephemeral-storage|hugepages-[0-9A-Za-z]+");

  private static final Pattern OF_A_DOMAIN =
      Pattern.compile(
          "[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

  /**
   * Reads what is asked for.
   *
   * @param asked amounts by short or full name
   * @param problems takes what is wrong with it; what is right is in the result all the same
   */
  static Map<String, Quantity> read(
      Map<String, String> asked, DeviceMap devices, Consumer<FieldProblem> problems) {
    Map<String, Quantity> resources = new LinkedHashMap<>();
    asked.forEach(
        (name, amount) -> {
          String resource = devices.resource(name);
          String field = FIELD + "[" + name + "]";
          if (resources.containsKey(resource)) {
            problems.accept(new FieldProblem(field, resource + " is asked for twice: say it once"));
            return;
          }
          String wrong = isResource(resource) ? wrong(resource, amount) : noResource(resource);
          if (wrong != null) {
            problems.accept(new FieldProblem(field, wrong));
            return;
          }
          resources.put(resource, new Quantity(amount));
        });
    refuseMixedSlices(resources, problems);
    return resources;
  }

  /** The same amounts as requests and as limits. */
  static ResourceRequirements both(Map<String, Quantity> resources) {
    return new ResourceRequirementsBuilder().withRequests(resources).withLimits(resources).build();
  }

  /** No device plugin gives a container slices of two kinds, or slices and whole GPUs. */
  private static void refuseMixedSlices(
      Map<String, Quantity> resources, Consumer<FieldProblem> problems) {
    List<String> slices =
        resources.keySet().stream()
            .filter(DeviceMap::isMig)
            .filter(resource -> isSome(resources.get(resource)))
            .sorted()
            .toList();
    if (slices.size() > 1) {
      problems.accept(
          new FieldProblem(
              FIELD, "asks for MIG slices of several kinds, " + slices + ": choose one"));
    }
    if (!slices.isEmpty() && isSome(resources.get("nvidia.com/gpu"))) {
      problems.accept(
          new FieldProblem(
              FIELD, "asks for whole GPUs and for MIG slices, " + slices + ": choose one"));
    }
  }

  private static boolean isResource(String name) {
    return OF_KUBERNETES.matcher(name).matches() || OF_A_DOMAIN.matcher(name).matches();
  }

  private static String noResource(String name) {
    return "\""
        + name
        + "\" is no resource: write cpu, memory, storage, gpu, npu, tpu, mig-1g.5gb, or a full name"
        + " such as amd.com/gpu";
  }

  private static boolean isSome(Quantity amount) {
    return amount != null && amount.getNumericalAmount().signum() > 0;
  }

  /** Null if nothing is. */
  private static String wrong(String resource, String amount) {
    BigDecimal number;
    try {
      number = new Quantity(amount).getNumericalAmount();
    } catch (IllegalArgumentException | ArithmeticException e) {
      return "\"" + amount + "\" is no quantity: write a number such as 2, 500m or 8Gi";
    }
    if (number.signum() < 0) {
      return "is " + amount + ": at least 0";
    }
    // As Kubernetes has it for all but its own.
    boolean isWhole = number.stripTrailingZeros().scale() <= 0;
    return resource.contains("/") && !isWhole ? "is " + amount + ": devices come as wholes" : null;
  }

  private ResourcesPerNode() {}
}
