package dev.waymark.reporter;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Huawei's Ascend NPUs, by the table of {@code npu-smi info} (seen from version 1.8 to 26.0).
 *
 * <p>The table has two lines a chip: {@code | NPU Name | Health | Power ... |} and {@code | Chip
 * Device | Bus-Id | AICore(%) Memory-Usage(MB) HBM-Usage(MB) |}. Chips for training keep models in
 * HBM and show it last; chips for inference (310) have no such column. The number of a device, the
 * one that ASCEND_VISIBLE_DEVICES counts, is called Device or Phy-ID; where cards have one chip
 * each (910A, 910B) there is no such number, and the card's counts.
 */
final class NpuSmi implements AcceleratorProbe {
  private static final Pattern CARD_LINE =
      Pattern.compile("\\|\\s*(\\d{1,5})\\s+\\S[^|]*\\|\\s*[A-Za-z]+\\s*\\|[^|]*\\|\\s*");

  private static final Pattern CHIP_LINE =
      Pattern.compile(
          "\\|\\s*\\d{1,5}(?:\\s+(\\d{1,5}))?\\s*\\|\\s*(?:NA\\s*|[0-9A-Fa-fx]+:[^|]*)\\|\\s*(\\S+)([^|]*)\\|\\s*");

  private static final Pattern USAGE = Pattern.compile("(\\d{1,9})\\s*/\\s*(\\d{1,9})");

  /** npu-smi's MB: a chip of 64 GiB has 65536 of them. */
  private static final long MB = 1024 * 1024;

  private final CommandLineTool tool;

  NpuSmi(CommandLineTool tool) {
    this.tool = tool;
  }

  @Override
  public String name() {
    return "npu-smi";
  }

  @Override
  public Map<String, Long> read() throws IOException {
    String output = tool.run("info");
    Map<String, Long> figures = parse(output);
    if (figures.isEmpty()) {
      throw new IOException(
          "it says "
              + output
                  .lines()
                  .map(String::trim)
                  .filter(l -> !l.isEmpty())
                  .findFirst()
                  .orElse("nothing"));
    }
    return figures;
  }

  /** Reads the table of chips; whatever stands before, between and behind is skipped. */
  static Map<String, Long> parse(String output) {
    Map<String, Long> figures = new LinkedHashMap<>();
    String card = null;
    for (String line : output.split("\\R")) {
      if (line.contains("Process id")) {
        break;
      }
      Matcher chip = CHIP_LINE.matcher(line);
      Matcher cardLine = CARD_LINE.matcher(line);
      if (card != null && chip.matches()) {
        String device = chip.group(1) != null ? chip.group(1) : card;
        add(figures, "npu_" + Integer.parseInt(device), chip.group(2), chip.group(3));
        card = null;
      } else if (cardLine.matches()) {
        card = cardLine.group(1);
      }
    }
    return figures;
  }

  private static void add(Map<String, Long> figures, String npu, String aiCore, String usages) {
    if (aiCore.matches("\\d{1,3}")) {
      figures.putIfAbsent(npu + "_utilization", Long.parseLong(aiCore));
    }
    // The last memory that exists: HBM where there is some, the chip's DDR otherwise.
    String[] memory = null;
    for (Matcher usage = USAGE.matcher(usages); usage.find(); ) {
      if (Long.parseLong(usage.group(2)) > 0) {
        memory = new String[] {usage.group(1), usage.group(2)};
      }
    }
    if (memory != null) {
      figures.putIfAbsent(npu + "_memory_used_bytes", Long.parseLong(memory[0]) * MB);
      figures.putIfAbsent(npu + "_memory_total_bytes", Long.parseLong(memory[1]) * MB);
    }
  }
}
