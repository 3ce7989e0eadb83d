package dev.waymark.reporter;

import java.io.IOException;
import java.util.Map;

/**
 * Reads, with a vendor's tool, what the machine's accelerators are doing at this moment.
 *
 * <p>A probe may take up to two seconds, so it is read on the sender's thread only, at most once a
 * report, and never for a last word.
 */
interface AcceleratorProbe {
  /** The tool's name, for the log. */
  String name();

  /**
   * The figures by metric name, in the order of the devices: {@code gpu_<i>_utilization} or {@code
   * npu_<i>_utilization} (percent, 0-100), {@code ..._memory_used_bytes} and {@code
   * ..._memory_total_bytes}. A figure that the tool doesn't know is left out.
   *
   * @throws IOException if the tool fails or shows no device at all
   */
  Map<String, Long> read() throws IOException;
}
