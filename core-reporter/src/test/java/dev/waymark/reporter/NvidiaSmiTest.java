package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NvidiaSmiTest {
  private static final long MIB = 1024 * 1024;

  @TempDir Path folder;

  @ParameterizedTest(name = "{0}, GPU {1}: {2} %, {3} of {4} MiB")
  @CsvSource({
    "titan-x.csv, 0, 0, 802, 12206",
    "titan-x.csv, 1, 86, 10032, 12206",
    "titan-x.csv, 7, 82, 6442, 12206",
    "h100-550.90.07.csv, 0, 0, 72790, 81559",
    "h100-550.90.07.csv, 1, 4, 72790, 81559",
    "gb10-580.173.02.csv, 0, 0, , ",
    "a100-mig-container-535.161.08.csv, 0, , , ",
    "not-supported.csv, 0, , 0, 2004",
    "some-fields-broken.csv, 0, 97, 40536, 81920",
    "some-fields-broken.csv, 1, , , 81920",
    "some-fields-broken.csv, 2, 100, 0, 81920",
    "some-fields-broken.csv, 4, , , ",
    "some-fields-broken.csv, 5, , , ",
    "some-fields-broken.csv, 6, , , ",
  })
  void readsWhatEachGpuTells(String fixture, int gpu, Long percent, Long usedMib, Long totalMib) {
    Map<String, Long> figures = NvidiaSmi.parse(Fixture.read("nvidia-smi/" + fixture));

    Map<String, Long> expected = new TreeMap<>();
    put(expected, "gpu_" + gpu + "_utilization", percent, 1);
    put(expected, "gpu_" + gpu + "_memory_used_bytes", usedMib, MIB);
    put(expected, "gpu_" + gpu + "_memory_total_bytes", totalMib, MIB);
    Map<String, Long> ofThisGpu = new TreeMap<>(figures);
    ofThisGpu.keySet().removeIf(name -> !name.startsWith("gpu_" + gpu + "_"));
    assertThat(ofThisGpu).isEqualTo(expected);
  }

  @Test
  void keepsTheOrderOfTheDevices() {
    assertThat(NvidiaSmi.parse(Fixture.read("nvidia-smi/h100-550.90.07.csv")).keySet())
        .containsExactly(
            "gpu_0_utilization",
            "gpu_0_memory_used_bytes",
            "gpu_0_memory_total_bytes",
            "gpu_1_utilization",
            "gpu_1_memory_used_bytes",
            "gpu_1_memory_total_bytes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"no-driver-440.txt", "nvml-unknown-error.txt", "mig-table.txt"})
  void errorsAndOtherTextAreNoFigures(String fixture) {
    assertThat(NvidiaSmi.parse(Fixture.read("nvidia-smi/" + fixture))).isEmpty();
  }

  @Test
  void sumsUpTheMemoryOfMigSlices() {
    assertThat(NvidiaSmi.parseMigTable(Fixture.read("nvidia-smi/mig-table.txt")))
        .containsOnly(
            Map.entry("gpu_1_memory_used_bytes", (14366 + 9826 + 13) * MIB),
            Map.entry("gpu_1_memory_total_bytes", 3 * 19968 * MIB),
            Map.entry("gpu_2_memory_used_bytes", 15210 * MIB),
            Map.entry("gpu_2_memory_total_bytes", 19968 * MIB));
  }

  @ParameterizedTest
  @ValueSource(strings = {"no-mig-535.86.10.txt", "no-driver-440.txt", "titan-x.csv"})
  void withoutATableOfMigDevicesThereAreNoSlices(String fixture) {
    assertThat(NvidiaSmi.parseMigTable(Fixture.read("nvidia-smi/" + fixture))).isEmpty();
  }

  @Test
  void asksForCsvWithoutUnits() throws IOException {
    NvidiaSmi probe = probe("echo \"0, 50, 1, 2\"\n" + "echo \"$*\" > " + folder + "/arguments");

    assertThat(probe.read())
        .containsExactly(
            Map.entry("gpu_0_utilization", 50L),
            Map.entry("gpu_0_memory_used_bytes", MIB),
            Map.entry("gpu_0_memory_total_bytes", 2 * MIB));
    assertThat(folder.resolve("arguments"))
        .hasContent(
            "--query-gpu=index,utilization.gpu,memory.used,memory.total"
                + " --format=csv,noheader,nounits\n");
  }

  @Test
  void asksForMigSlicesOnlyWhereTheGpusMemoryIsHidden() throws IOException {
    NvidiaSmi hidden =
        probe(
            "echo run >> "
                + folder
                + "/runs\nif [ $# -gt 0 ]; then echo '1, [N/A], [N/A], [N/A]'; else cat <<'EOF'\n"
                + Fixture.read("nvidia-smi/mig-table.txt")
                + "EOF\nfi");

    assertThat(hidden.read()).containsEntry("gpu_1_memory_total_bytes", 3 * 19968 * MIB);
    assertThat(hidden.read()).containsEntry("gpu_1_memory_used_bytes", 24205 * MIB);
    assertThat(folder.resolve("runs")).content().hasLineCount(4);
  }

  @Test
  void asksNoMoreForMigSlicesWhereThereAreNone() throws IOException {
    NvidiaSmi none =
        probe(
            "echo run >> " + folder + "/runs\nif [ $# -gt 0 ]; then echo '0, 7, [N/A], [N/A]'; fi");

    assertThat(none.read()).containsExactly(Map.entry("gpu_0_utilization", 7L));
    assertThat(none.read()).containsExactly(Map.entry("gpu_0_utilization", 7L));
    assertThat(folder.resolve("runs")).content().hasLineCount(3);
  }

  @Test
  void withoutFiguresItFailsWithWhatTheToolSaid() throws IOException {
    NvidiaSmi broken = probe("echo; echo 'No devices were found'; exit 6");
    NvidiaSmi silent = new NvidiaSmi(CommandLineToolTest.script(folder, "silent", "exit 1"));

    assertThatThrownBy(broken::read).hasMessage("it says No devices were found");
    assertThatThrownBy(silent::read).hasMessage("it says nothing");
  }

  private NvidiaSmi probe(String script) throws IOException {
    return new NvidiaSmi(CommandLineToolTest.script(folder, "nvidia-smi", script));
  }

  private static void put(Map<String, Long> figures, String name, Long value, long unit) {
    if (value != null) {
      figures.put(name, value * unit);
    }
  }
}
