package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.dl4j.DeviceMemory.Devices;
import dev.waymark.dl4j.DeviceMemory.OfNativeOps;
import dev.waymark.reporter.TrainingRun;
import dev.waymark.reporter.testing.ReceivedReports;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the backend for CPUs really answers. */
class DeviceMemoryIT {
  private static ReceivedReports reports;

  @BeforeAll
  static void listen() throws Exception {
    reports = ReceivedReports.inThisJvm();
    Points.network(); // the backend is up once something is trained
  }

  @Test
  void thereAreNoDevices() {
    assertThat(new OfNativeOps().count()).isZero();
    assertThat(told(DeviceMemory.ofBackend())).doesNotContain("gpu_");
  }

  @Test
  void aDeviceThatIsNotThereHasNoMemory() {
    assertThat(told(new DeviceMemory(new OneMore(), name -> null))).doesNotContain("gpu_");
  }

  private static String told(DeviceMemory memory) {
    try (TrainingRun run = TrainingRun.start()) {
      assertThat(run.isReported()).isTrue();
      memory.tell(run::metric);
    }
    return reports.lastWord().toString();
  }

  /** Asks the native code for the memory of a device which it doesn't count. */
  private static final class OneMore implements Devices {
    private final OfNativeOps real = new OfNativeOps();

    @Override
    public int count() {
      return real.count() + 1;
    }

    @Override
    public long totalBytes(int device) {
      return real.totalBytes(device);
    }

    @Override
    public long freeBytes(int device) {
      return real.freeBytes(device);
    }
  }
}
