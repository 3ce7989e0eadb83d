package dev.waymark.plan;

import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceClaim;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a node of the training has: the runtime's resources with the TrainJob's over them. */
final class NodeResources {

  private static final BigDecimal LARGEST = BigDecimal.valueOf(Integer.MAX_VALUE);

  /**
   * What the container has that trains, in the first job with one that is labelled or called so.
   */
  static ResourceRequirements ofNode(RuntimePlan plan) {
    return of(
        plan.podSets().stream()
            .filter(podSet -> podSet.isTrainer() || podSet.name().equals(TrainerApi.NODE))
            .filter(podSet -> podSet.container(TrainerApi.NODE).isPresent())
            .findFirst());
  }

  /** What the container has that trains in these pods; nothing if there is none. */
  static ResourceRequirements of(Optional<PodSet> nodes) {
    return nodes
        .flatMap(podSet -> podSet.container(TrainerApi.NODE))
        .map(Container::getResources)
        .orElseGet(ResourceRequirements::new);
  }

  /**
   * Merges by key; claims by name. Upstream v2.3 loses the claims of both.
   *
   * @param ofRuntime may be null
   */
  static ResourceRequirements merge(ResourceRequirements ofRuntime, ResourceRequirements job) {
    ResourceRequirements runtime = ofRuntime == null ? new ResourceRequirements() : ofRuntime;
    Map<String, ResourceClaim> claims = new LinkedHashMap<>();
    runtime.getClaims().forEach(claim -> claims.put(claim.getName(), claim));
    job.getClaims().forEach(claim -> claims.put(claim.getName(), claim));
    return new ResourceRequirementsBuilder(runtime)
        .addToLimits(job.getLimits())
        .addToRequests(job.getRequests())
        .withClaims(claims.values().stream().toList())
        .addToAdditionalProperties(job.getAdditionalProperties())
        .build();
  }

  /**
   * GPUs of a node, 0 if none: the first resource, by name, with {@code gpu} in its name, requested
   * or else limited. As upstream counts, MIG slices, NPUs and TPUs are none.
   */
  static int gpus(ResourceRequirements resources) {
    int requested = gpus(resources.getRequests());
    return requested > 0 ? requested : gpus(resources.getLimits());
  }

  /** CPUs of a node, requested or else limited, rounded up; 0 if it says none. */
  static int cpus(ResourceRequirements resources) {
    int requested = whole(resources.getRequests().get("cpu"));
    return requested > 0 ? requested : whole(resources.getLimits().get("cpu"));
  }

  /** What is wrong with amounts that are no quantities, by field such as {@code limits[cpu]}. */
  static Map<String, String> wrongQuantities(ResourceRequirements resources) {
    Map<String, String> wrong = new LinkedHashMap<>();
    addWrong("limits", resources.getLimits(), wrong);
    addWrong("requests", resources.getRequests(), wrong);
    return wrong;
  }

  /**
   * Amounts below zero, by field such as {@code limits[cpu]}: the CRDs take them, and Kubernetes
   * makes no such pod.
   */
  static Map<String, String> belowZero(ResourceRequirements resources) {
    Map<String, String> below = new LinkedHashMap<>();
    addBelowZero("limits", resources.getLimits(), below);
    addBelowZero("requests", resources.getRequests(), below);
    return below;
  }

  private static void addBelowZero(
      String field, Map<String, Quantity> quantities, Map<String, String> below) {
    quantities.forEach(
        (name, quantity) -> {
          if (isQuantity(quantity) && quantity.getNumericalAmount().signum() < 0) {
            below.put(field + "[" + name + "]", "is " + quantity + ": at least 0");
          }
        });
  }

  private static void addWrong(
      String field, Map<String, Quantity> quantities, Map<String, String> wrong) {
    quantities.forEach(
        (name, quantity) -> {
          if (!isQuantity(quantity)) {
            wrong.put(
                field + "[" + name + "]",
                "\"" + quantity + "\" is no quantity: write a number such as 2, 500m or 8Gi");
          }
        });
  }

  /** What is requested above its limit, a line each: Kubernetes makes no such pod. */
  static List<String> requestsAboveLimits(ResourceRequirements resources) {
    List<String> above = new ArrayList<>();
    new TreeMap<>(resources.getRequests())
        .forEach(
            (name, request) -> {
              Quantity limit = resources.getLimits().get(name);
              if (limit != null && isQuantity(limit) && isQuantity(request)) {
                if (request.getNumericalAmount().compareTo(limit.getNumericalAmount()) > 0) {
                  above.add(
                      "the request of " + name + ", " + request + ", is above its limit, " + limit);
                }
              }
            });
    return above;
  }

  private static boolean isQuantity(Quantity quantity) {
    try {
      return quantity.getNumericalAmount() != null;
    } catch (IllegalArgumentException | ArithmeticException e) {
      return false;
    }
  }

  private static int gpus(Map<String, Quantity> resources) {
    return new TreeMap<>(resources)
        .entrySet().stream()
            .filter(resource -> resource.getKey().toLowerCase(Locale.ROOT).contains("gpu"))
            .mapToInt(resource -> whole(resource.getValue()))
            .filter(count -> count > 0)
            .findFirst()
            .orElse(0);
  }

  /**
   * Rounded up, between 0 and what an int holds. Compared before it is rounded, since 1e999999999,
   * which the CRD takes, would be written out with all its digits.
   */
  private static int whole(Quantity quantity) {
    if (quantity == null || quantity.getNumericalAmount().signum() <= 0) {
      return 0;
    }
    BigDecimal amount = quantity.getNumericalAmount().max(BigDecimal.ONE).min(LARGEST);
    return amount.setScale(0, RoundingMode.CEILING).intValue();
  }

  private NodeResources() {}
}
