package dev.waymark.reporter;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * NVIDIA's GPUs, by nvidia-smi.
 *
 * <p>A field that a GPU doesn't know reads {@code [N/A]}, {@code [Not Supported]} (drivers before
 * 440) or {@code [Insufficient Permissions]}. The last one is what a container with a MIG slice
 * sees as the memory of the whole GPU (driver 535); the slices' own memory is then in a table that
 * nvidia-smi prints without arguments. No tool tells a slice's utilization.
 */
final class NvidiaSmi implements AcceleratorProbe {
  private static final String[] QUERY = {
    "--query-gpu=index,utilization.gpu,memory.used,memory.total", "--format=csv,noheader,nounits"
  };

  private static final Pattern ROW = Pattern.compile("\\s*(\\d{1,4})\\s*,([^,]*),([^,]*),([^,]*)");

  /** GPU, GI ID, CI ID, MIG device | memory used / total. */
  private static final Pattern MIG_ROW =
      Pattern.compile(
          "\\|\\s*(\\d{1,4})(?:\\s+\\d+){3}\\s*\\|\\s*(\\d{1,9})MiB\\s*/\\s*(\\d{1,9})MiB\\s*\\|.*");

  private static final long MIB = 1024 * 1024;

  private final CommandLineTool tool;
  private boolean hasMigTable = true;

  NvidiaSmi(CommandLineTool tool) {
    this.tool = tool;
  }

  @Override
  public String name() {
    return "nvidia-smi";
  }

  @Override
  public Map<String, Long> read() throws IOException {
    String output = tool.run(QUERY);
    Map<String, Long> figures = parse(output);
    if (hasMigTable && lacksMemory(output, figures)) {
      Map<String, Long> slices = parseMigTable(tool.run());
      hasMigTable = !slices.isEmpty();
      slices.forEach(figures::putIfAbsent);
    }
    if (figures.isEmpty()) {
      throw new IOException("it says " + firstLine(output));
    }
    return figures;
  }

  /** Reads the rows of the query; lines that are none are skipped, as errors are told in lines. */
  static Map<String, Long> parse(String output) {
    Map<String, Long> figures = new LinkedHashMap<>();
    for (String line : output.split("\\R")) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        String gpu = "gpu_" + Integer.parseInt(row.group(1));
        put(figures, gpu + "_utilization", row.group(2), 1);
        put(figures, gpu + "_memory_used_bytes", row.group(3), MIB);
        put(figures, gpu + "_memory_total_bytes", row.group(4), MIB);
      }
    }
    return figures;
  }

  private static void put(Map<String, Long> figures, String name, String value, long unit) {
    String number = value.trim();
    if (number.matches("\\d{1,9}")) {
      figures.put(name, Long.parseLong(number) * unit);
    }
  }

  /** The memory of each GPU's MIG slices that are visible here, summed up. */
  static Map<String, Long> parseMigTable(String output) {
    Map<String, Long> sums = new LinkedHashMap<>();
    int table = output.indexOf("MIG devices:");
    for (String line : output.substring(Math.max(table, 0)).split("\\R")) {
      Matcher row = MIG_ROW.matcher(line);
      if (table >= 0 && row.matches()) {
        String gpu = "gpu_" + Integer.parseInt(row.group(1));
        sums.merge(gpu + "_memory_used_bytes", Long.parseLong(row.group(2)) * MIB, Long::sum);
        sums.merge(gpu + "_memory_total_bytes", Long.parseLong(row.group(3)) * MIB, Long::sum);
      }
    }
    return sums;
  }

  private static boolean lacksMemory(String output, Map<String, Long> figures) {
    return output
        .lines()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .map(row -> row.group(1))
        .anyMatch(index -> !figures.containsKey("gpu_" + index + "_memory_total_bytes"));
  }

  private static String firstLine(String output) {
    return output.lines().map(String::trim).filter(l -> !l.isEmpty()).findFirst().orElse("nothing");
  }
}
