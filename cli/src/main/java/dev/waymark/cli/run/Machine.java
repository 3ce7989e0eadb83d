package dev.waymark.cli.run;

import com.sun.management.OperatingSystemMXBean;
import java.io.File;
import java.lang.management.ManagementFactory;

/**
 * What this machine has.
 *
 * @param processors CPUs that this process may use
 * @param memoryBytes physical memory
 * @param gpus NVIDIA GPUs
 * @param npus Ascend NPUs
 */
record Machine(int processors, long memoryBytes, int gpus, int npus) {

  static Machine here() {
    return new Machine(
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize(),
        devices("nvidia"),
        devices("davinci"));
  }

  /** How many of an extended resource such as {@code nvidia.com/gpu} there are. */
  int devicesFor(String resource) {
    return switch (resource) {
      case "nvidia.com/gpu" -> gpus;
      case "huawei.com/Ascend910", "huawei.com/Ascend310P", "huawei.com/Ascend310" -> npus;
      default -> 0;
    };
  }

  /** The drivers make a device node for each accelerator: nvidia0, davinci0, ... */
  private static int devices(String driver) {
    String[] nodes = new File("/dev").list((folder, name) -> name.matches(driver + "[0-9]+"));
    return nodes == null ? 0 : nodes.length;
  }
}
