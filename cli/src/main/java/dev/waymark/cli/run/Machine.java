package dev.waymark.cli.run;

import com.sun.management.OperatingSystemMXBean;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

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
   * The names of those of an extended resource that programs of this shell may use: all, or those
   * that its own variable names. As the drivers do, it is read up to the first that is no name.
   */
  List<String> visibleDevices(String resource, Map<String, String> shell) {
    String variable = visibilityVariable(resource);
    String visible = variable == null ? null : shell.get(variable);
    if (visible == null) {
      return IntStream.range(0, devices(resource)).mapToObj(Integer::toString).toList();
    }
    return Arrays.stream(visible.split(","))
        .map(String::strip)
        .takeWhile(name -> !name.isEmpty() && !name.startsWith("-"))
        .toList();
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
