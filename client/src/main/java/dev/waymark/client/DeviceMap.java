package dev.waymark.client;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which resources of Kubernetes are which devices, and what people call them when they ask. A
 * cluster with other vendors says so by {@link #with} and {@link #withAlias}; a resource that no
 * map knows is a device by its own name. A value: each change gives another map.
 */
public final class DeviceMap {

  private static final String MIG_PREFIX = "nvidia.com/mig-";
  private static final String CPU = "cpu";

  /** Resources with a slash in their names that nothing is computed on. */
  private static final String NO_DEVICE = "";

  /** The first that a container has is its device. A name that ends in {@code *} is a beginning. */
  private final Map<String, String> devices;

  private final Map<String, String> aliases;

  private DeviceMap(Map<String, String> devices, Map<String, String> aliases) {
    this.devices = devices;
    this.aliases = aliases;
  }

  /**
   * What is common. Resources and their order as the Kubeflow SDK 0.5.0 has them, which knows
   * {@code huawei.com/Ascend910} alone of Ascend's; the others are those of Huawei's device
   * plugins.
   */
  public static DeviceMap standard() {
    Map<String, String> devices = new LinkedHashMap<>();
    devices.put("nvidia.com/gpu", "gpu");
    devices.put("google.com/tpu", "tpu");
    devices.put(MIG_PREFIX + "*", "mig-*");
    devices.put("huawei.com/Ascend*", "npu");
    devices.put("huawei.com/npu", "npu");
    devices.put("amd.com/gpu", "gpu");
    devices.put("gpu.intel.com/*", "gpu");
    devices.put("rdma/*", NO_DEVICE);
    Map<String, String> aliases = new LinkedHashMap<>();
    aliases.put("gpu", "nvidia.com/gpu");
    aliases.put("tpu", "google.com/tpu");
    aliases.put("npu", "huawei.com/Ascend910");
    aliases.put("storage", "ephemeral-storage");
    return new DeviceMap(devices, aliases);
  }

  /**
   * A map that knows one resource more; it comes before those that the map knew.
   *
   * @param resource its name, such as {@code example.com/fpga}, or with {@code *} at the end the
   *     beginning of several names
   * @param device what people call it; empty: nothing is computed on it
   */
  public DeviceMap with(String resource, String device) {
    Map<String, String> more = new LinkedHashMap<>();
    more.put(resource, device);
    devices.forEach(more::putIfAbsent);
    return new DeviceMap(more, aliases);
  }

  /**
   * A map with which people ask for a resource by a short name.
   *
   * @param alias such as {@code npu}; case doesn't count
   * @param resource such as {@code huawei.com/Ascend910B}
   */
  public DeviceMap withAlias(String alias, String resource) {
    Map<String, String> more = new LinkedHashMap<>(aliases);
    more.put(lower(alias), resource);
    return new DeviceMap(devices, more);
  }

  /**
   * The resource that somebody means. Short names and Kubernetes' own are known in any case ({@code
   * CPU}); all others are what they are, since {@code example.com/Fpga} and {@code
   * example.com/fpga} are two.
   */
  String resource(String name) {
    String lower = lower(name);
    if (aliases.containsKey(lower)) {
      return aliases.get(lower);
    } else if (lower.startsWith("mig-")) {
      return "nvidia.com/" + lower;
    }
    return switch (lower) {
      case CPU, "memory", "ephemeral-storage" -> lower;
      default -> name;
    };
  }

  /**
   * What a container computes on: from its limits, or else from its requests.
   *
   * @param resources may be null
   */
  Device of(ResourceRequirements resources) {
    if (resources == null) {
      return Device.NONE;
    }
    Device limited = of(resources.getLimits());
    return limited.isKnown() ? limited : of(resources.getRequests());
  }

  /** Whether a resource is what a training computes on, beside the cpu. */
  boolean isAccelerator(String resource) {
    return deviceOf(resource).filter(device -> !device.equals(NO_DEVICE)).isPresent()
        || (resource.contains("/") && deviceOf(resource).isEmpty());
  }

  static boolean isMig(String resource) {
    return resource.startsWith(MIG_PREFIX);
  }

  private Device of(Map<String, Quantity> resources) {
    if (resources == null) {
      return Device.NONE;
    }
    Map<String, Quantity> some = new TreeMap<>(resources);
    some.values().removeIf(DeviceMap::isNone);
    Device device = first(some);
    // Who has none of anything else, and says so of a device, has none of that.
    return device.isKnown() ? device : first(new TreeMap<>(resources));
  }

  private static boolean isNone(Quantity amount) {
    String digits = amount.getAmount();
    return digits != null && digits.chars().noneMatch(digit -> digit >= '1' && digit <= '9');
  }

  private Device first(Map<String, Quantity> sorted) {
    for (Map.Entry<String, String> known : devices.entrySet()) {
      for (Map.Entry<String, Quantity> has : sorted.entrySet()) {
        if (fits(known.getKey(), has.getKey()) && !known.getValue().equals(NO_DEVICE)) {
          return new Device(named(known.getValue(), has.getKey()), has.getValue().toString());
        }
      }
    }
    for (Map.Entry<String, Quantity> has : sorted.entrySet()) {
      if (isAccelerator(has.getKey())) {
        return new Device(has.getKey(), has.getValue().toString());
      }
    }
    return sorted.containsKey(CPU) ? new Device(CPU, sorted.get(CPU).toString()) : Device.NONE;
  }

  private Optional<String> deviceOf(String resource) {
    return devices.entrySet().stream()
        .filter(known -> fits(known.getKey(), resource))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  private static boolean fits(String pattern, String resource) {
    return pattern.endsWith("*")
        ? resource.startsWith(pattern.substring(0, pattern.length() - 1))
        : resource.equals(pattern);
  }

  /** A device called {@code mig-*} has the end of the resource's name in its own. */
  private static String named(String device, String resource) {
    return device.endsWith("*") ? resource.substring(resource.indexOf('/') + 1) : device;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
