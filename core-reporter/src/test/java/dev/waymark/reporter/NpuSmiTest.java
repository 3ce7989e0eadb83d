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

class NpuSmiTest {
  private static final long MB = 1024 * 1024;

  @TempDir Path folder;

  @ParameterizedTest(name = "{0}, NPU {1}: {2} %, {3} of {4} MB")
  @CsvSource({
    "910a-1.8.21.txt, 0, 0, 0, 32768",
    "910a-1.8.21.txt, 3, 0, 0, 32768",
    "310p3-22.0.2.txt, 0, 0, 1807, 21527",
    "310b4-23.0.0.txt, 0, 0, 3628, 15609",
    "910b2c-23.0.2.1.txt, 0, 0, 20701, 65536",
    "910b2c-23.0.2.1.txt, 1, 0, 20687, 65536",
    "310p3-24.1.rc2.txt, 0, 0, 1397, 44280",
    "310p3-24.1.rc2.txt, 1, 0, 1520, 43693",
    "910b4-24.1.1.txt, 0, 0, 26838, 32768",
    "910b4-24.1.1.txt, 1, 0, 29356, 32768",
    "ascend910-25.2.0.txt, 0, 0, 3133, 65536",
    "ascend910-25.2.0.txt, 1, 0, 2876, 65536",
    "ascend910-25.2.0.txt, 2, 0, 3116, 65536",
    "ascend910-25.2.0.txt, 3, 0, 10568, 65536",
    "ascend910-26.0.rc2.txt, 0, 0, 3419, 65536",
    "ascend910-26.0.rc2.txt, 1, 0, 2874, 65536",
    "busy-and-broken.txt, 0, 100, 32700, 32768",
    "busy-and-broken.txt, 1, , , ",
    "busy-and-broken.txt, 2, , , ",
    "busy-and-broken.txt, 3, 57, 16384, 32768",
  })
  void readsWhatEachNpuTells(String fixture, int npu, Long percent, Long usedMb, Long totalMb) {
    Map<String, Long> figures = NpuSmi.parse(Fixture.read("npu-smi/" + fixture));

    Map<String, Long> expected = new TreeMap<>();
    if (percent != null) {
      expected.put("npu_" + npu + "_utilization", percent);
      expected.put("npu_" + npu + "_memory_used_bytes", usedMb * MB);
      expected.put("npu_" + npu + "_memory_total_bytes", totalMb * MB);
    }
    Map<String, Long> ofThisNpu = new TreeMap<>(figures);
    ofThisNpu.keySet().removeIf(name -> !name.startsWith("npu_" + npu + "_"));
    assertThat(ofThisNpu).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "910a-1.8.21.txt, 2",
    "310p3-22.0.2.txt, 1",
    "310b4-23.0.0.txt, 1",
    "910b2c-23.0.2.1.txt, 2",
    "310p3-24.1.rc2.txt, 2",
    "910b4-24.1.1.txt, 2",
    "ascend910-25.2.0.txt, 4",
    "ascend910-26.0.rc2.txt, 2",
    "busy-and-broken.txt, 2",
    "no-device-8005.txt, 0"
  })
  void readsNothingElse(String fixture, int devices) {
    assertThat(NpuSmi.parse(Fixture.read("npu-smi/" + fixture))).hasSize(3 * devices);
  }

  @Test
  void aChipLineWithoutItsCardIsNoDevice() {
    assertThat(NpuSmi.parse("| 0     | 0000:C1:00.0  | 1    0    / 0    1/ 2   |")).isEmpty();
  }

  @Test
  void asksForTheTableAndFailsWithWhatTheToolSaid() throws IOException {
    NpuSmi probe =
        new NpuSmi(
            CommandLineToolTest.script(
                folder,
                "npu-smi",
                "if [ \"$*\" = info ]; then cat <<'EOF'\n"
                    + Fixture.read("npu-smi/910b4-24.1.1.txt")
                    + "EOF\nfi"));
    NpuSmi broken =
        new NpuSmi(
            CommandLineToolTest.script(
                folder,
                "npu-smi-broken",
                "cat <<'EOF'\n\n" + Fixture.read("npu-smi/no-device-8005.txt") + "EOF\nexit 1"));

    assertThat(probe.name()).isEqualTo("npu-smi");
    assertThat(probe.read()).hasSize(6).containsEntry("npu_1_memory_used_bytes", 29356 * MB);
    assertThatThrownBy(broken::read)
        .isInstanceOf(IOException.class)
        .hasMessage("it says DrvMngGetConsoleLogLevel failed. (g_conLogLevel=3)");
  }
}
