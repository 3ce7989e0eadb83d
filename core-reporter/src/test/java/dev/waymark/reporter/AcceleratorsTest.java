package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AcceleratorsTest {
  @TempDir Path folder;
  private final LogLines lines = new LogLines();

  @AfterEach
  void giveStandardErrorBack() {
    lines.close();
  }

  @Test
  void withoutToolsThereIsNothing() {
    Accelerators none = Accelerators.onPath(folder.toString(), lines.log());

    assertThat(none.get()).isEmpty();
    assertThat(Accelerators.onPath(null, lines.log()).get()).isEmpty();
    assertThat(lines.debugs()).isEmpty();
  }

  @Test
  void bothVendorsToolsAreFoundAndRead() throws IOException {
    CommandLineToolTest.script(folder, "nvidia-smi", "echo '0, 1, 2, 3'");
    CommandLineToolTest.script(
        folder,
        "npu-smi",
        "echo '| 0  910B  | OK | 1 |'; echo '| 0 | 0000:C1:00.0 | 4  0 / 0  5/ 6 |'");

    assertThat(Accelerators.onPath(folder.toString(), lines.log()).get())
        .containsKeys("gpu_0_utilization", "npu_0_utilization")
        .hasSize(6);
  }

  @Test
  void aToolThatFailsIsToldOfOnceAndLeftAloneAfterThreeFailures() {
    FakeProbe broken = new FakeProbe("broken-smi", () -> null);
    FakeProbe healthy = new FakeProbe("healthy-smi", () -> Map.of("gpu_0_utilization", 1L));
    Accelerators accelerators = new Accelerators(List.of(broken, healthy), lines.log());

    for (int i = 0; i < 5; i++) {
      assertThat(accelerators.get()).isEqualTo(Map.of("gpu_0_utilization", 1L));
    }

    assertThat(broken.reads).isEqualTo(3);
    assertThat(healthy.reads).isEqualTo(5);
    assertThat(lines.debugs()).containsExactly("no accelerator figures from broken-smi: no luck");
    assertThat(lines.warnings()).isEmpty();
  }

  @Test
  void failuresWithASuccessInBetweenAreForgiven() {
    int[] reads = {0};
    FakeProbe shaky =
        new FakeProbe("shaky", () -> ++reads[0] % 3 == 0 ? Map.of("gpu_0_utilization", 1L) : null);
    Accelerators accelerators = new Accelerators(List.of(shaky), lines.log());

    for (int i = 0; i < 9; i++) {
      accelerators.get();
    }

    assertThat(shaky.reads).isEqualTo(9);
    assertThat(lines.debugs()).hasSize(1);
  }

  @Test
  void aDefectInAProbeIsAFailureLikeAnother() {
    FakeProbe defect =
        new FakeProbe(
            "defect",
            () -> {
              throw new IllegalStateException("a defect");
            });

    assertThat(new Accelerators(List.of(defect), lines.log()).get()).isEmpty();
    assertThat(lines.debugs()).hasSize(1);
  }

  private static final class FakeProbe implements AcceleratorProbe {
    private final String name;
    private final Supplier<Map<String, Long>> figures;
    private int reads;

    /**
     * @param figures gives null where the tool fails
     */
    FakeProbe(String name, Supplier<Map<String, Long>> figures) {
      this.name = name;
      this.figures = figures;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Map<String, Long> read() throws IOException {
      reads++;
      Map<String, Long> read = figures.get();
      if (read == null) {
        throw new IOException("no luck");
      }
      return read;
    }
  }
}
