package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.dl4j.DeviceMemory.Devices;
import dev.waymark.reporter.TrainingRun;
import dev.waymark.reporter.testing.ReceivedReports;
import dev.waymark.reporter.testing.Status;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class DeviceMemoryTest {
  private static ReceivedReports reports;

  @BeforeAll
  static void listen() throws Exception {
    reports = ReceivedReports.inThisJvm();
  }

  @Test
  void eachDeviceHasItsUsedAndItsTotalMemory() {
    Status status = told(new Gpus(16L << 30, 80L << 30), "CUDA_DEVICE_ORDER", "PCI_BUS_ID");

    assertThat(status.number("gpu_0_memory_used_bytes")).isEqualTo(4L << 30);
    assertThat(status.number("gpu_0_memory_total_bytes")).isEqualTo(16L << 30);
    assertThat(status.number("gpu_1_memory_used_bytes")).isEqualTo(20L << 30);
    assertThat(status.number("gpu_1_memory_total_bytes")).isEqualTo(80L << 30);
  }

  @Test
  void aDeviceThatDoesNotAnswerIsLeftOut() {
    Status status = told(new Gpus(0, 80L << 30), "CUDA_DEVICE_ORDER", "PCI_BUS_ID");

    assertThat(status.metric("gpu_0_memory_total_bytes")).isNull();
    assertThat(status.number("gpu_1_memory_total_bytes")).isEqualTo(80L << 30);
  }

  @Test
  void aDeviceHasTheNumberThatNvidiaSmiGivesIt() {
    Status status = told(new Gpus(80L << 30, 80L << 30), "CUDA_VISIBLE_DEVICES", "2,3");

    assertThat(status.number("gpu_2_memory_total_bytes")).isEqualTo(80L << 30);
    assertThat(status.number("gpu_3_memory_total_bytes")).isEqualTo(80L << 30);
    assertThat(status.toString()).doesNotContain("gpu_0").doesNotContain("gpu_1");
  }

  @Test
  void devicesWhoseNumbersCanNotBeKnownAreLeftOut() {
    Status status = told(new Gpus(80L << 30), "CUDA_VISIBLE_DEVICES", "GPU-8932f937");

    assertThat(status.toString()).doesNotContain("gpu_");
  }

  @Test
  void withoutDevicesNothingIsAsked() {
    Status status =
        told(
            new Devices() {
              @Override
              public int count() {
                return 0;
              }

              @Override
              public long totalBytes(int device) {
                throw new AssertionError("no such device");
              }

              @Override
              public long freeBytes(int device) {
                throw new AssertionError("no such device");
              }
            },
            "CUDA_VISIBLE_DEVICES",
            "0");

    assertThat(status.toString()).doesNotContain("gpu_");
  }

  private static Status told(Devices devices, String variable, String value) {
    DeviceMemory memory = new DeviceMemory(devices, Map.of(variable, value)::get);
    try (TrainingRun run = TrainingRun.start()) {
      memory.tell(run::metric);
      memory.tell(run::metric);
    }
    return reports.lastWord();
  }

  /** A quarter of each is in use. */
  private static final class Gpus implements Devices {
    private final long[] totals;

    Gpus(long... totals) {
      this.totals = totals;
    }

    @Override
    public int count() {
      return totals.length;
    }

    @Override
    public long totalBytes(int device) {
      return totals[device];
    }

    @Override
    public long freeBytes(int device) {
      return totals[device] / 4 * 3;
    }
  }
}
