package dev.waymark.reporter;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The figures of all accelerators whose tools this machine has. Without a tool it costs nothing: no
 * process, no thread. A tool that fails is told of once, in a DEBUG line, and after a few failures
 * in a row it is left alone. Used by one thread.
 */
final class Accelerators implements Supplier<Map<String, Long>> {
  private static final int MAX_FAILURES_IN_ROW = 3;

  private final List<Source> sources = new ArrayList<>();
  private final Log log;

  Accelerators(List<AcceleratorProbe> probes, Log log) {
    probes.forEach(probe -> sources.add(new Source(probe)));
    this.log = log;
  }

  /**
   * The accelerators whose tools are found now.
   *
   * @param path folders as in the environment variable PATH; null for none
   */
  static Accelerators onPath(String path, Log log) {
    List<AcceleratorProbe> probes = new ArrayList<>();
    CommandLineTool nvidiaSmi = CommandLineTool.find("nvidia-smi", path);
    if (nvidiaSmi != null) {
      probes.add(new NvidiaSmi(nvidiaSmi));
    }
    CommandLineTool npuSmi = CommandLineTool.find("npu-smi", path);
    if (npuSmi != null) {
      probes.add(new NpuSmi(npuSmi));
    }
    return new Accelerators(probes, log);
  }

  /**
   * The figures by metric name, {@link AcceleratorProbe#read} tells which; empty if none. A thread
   * that is interrupted gets those that are known by then.
   */
  @Override
  public Map<String, Long> get() {
    if (sources.isEmpty()) {
      return Map.of();
    }
    Map<String, Long> figures = new LinkedHashMap<>();
    sources.forEach(source -> source.readInto(figures));
    sources.removeIf(Source::isGivenUp);
    return figures;
  }

  private final class Source {
    private final AcceleratorProbe probe;
    private int failuresInRow;
    private boolean told;

    Source(AcceleratorProbe probe) {
      this.probe = probe;
    }

    void readInto(Map<String, Long> figures) {
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      try {
        figures.putAll(probe.read());
        failuresInRow = 0;
      } catch (IOException | RuntimeException e) {
        if (Thread.currentThread().isInterrupted()) {
          return; // No fault of the tool's.
        }
        failuresInRow++;
        if (!told) {
          told = true;
          log.debug("no accelerator figures from " + probe.name() + ": " + e.getMessage());
        }
      }
    }

    boolean isGivenUp() {
      return failuresInRow == MAX_FAILURES_IN_ROW;
    }
  }
}
