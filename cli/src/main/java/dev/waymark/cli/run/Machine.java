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
        deviceNodes("nvidia"),
        deviceNodes("davinci"));
  }

  /** How many of an extended resource such as {@code nvidia.com/gpu} there are. */
  int devices(String resource) {
    if (resource.equals("nvidia.com/gpu")) {
      return gpus;
    }
    return resource.startsWith("huawei.com/Ascend") ? npus : 0;
  }

  /**
   * The variable that shows a process some of these devices only, as a container shows its program
   * those that it asked for; null for a resource that this machine never has.
   */
  static String visibilityVariable(String resource) {
    if (resource.equals("nvidia.com/gpu")) {
      return "CUDA_VISIBLE_DEVICES";
    }
    return resource.startsWith("huawei.com/Ascend") ? "ASCEND_RT_VISIBLE_DEVICES" : null;
  }

  /** The drivers make a device node for each accelerator: nvidia0, davinci0, ... */
  private static int deviceNodes(String driver) {
    String[] nodes = new File("/dev").list((folder, name) -> name.matches(driver + "[0-9]+"));
    return nodes == null ? 0 : nodes.length;
  }
}
