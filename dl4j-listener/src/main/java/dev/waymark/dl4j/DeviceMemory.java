package dev.waymark.dl4j;

import java.util.function.ObjDoubleConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.nd4j.nativeblas.NativeOps;
import org.nd4j.nativeblas.NativeOpsHolder;

/**
 * The memory of the GPUs that ND4J works on, where its backend is CUDA. To be read on the thread
 * that trains, since the native code switches that thread's device to and fro.
 */
final class DeviceMemory {
  /** The backend's devices; numbered from 0. */
  interface Devices {
    /** 0 where the backend is the CPU (1.0.0-M2.1). */
    int count();

    long totalBytes(int device);

    /** What no process uses. */
    long freeBytes(int device);
  }

  private final Devices devices;
  private final UnaryOperator<String> environment;

  /**
   * The devices' numbers in the reports; empty if there are none, or if these can't be known. Asked
   * for once: they don't change while a process runs.
   */
  private int[] numbers;

  DeviceMemory(Devices devices, UnaryOperator<String> environment) {
    this.devices = devices;
    this.environment = environment;
  }

  static DeviceMemory ofBackend() {
    return new DeviceMemory(new OfNativeOps(), System::getenv);
  }

  /** Tells the figures under the names that they have for every framework. */
  void tell(ObjDoubleConsumer<String> metric) {
    if (numbers == null) {
      numbers =
          DeviceNumbers.of(
              environment.apply("CUDA_VISIBLE_DEVICES"),
              environment.apply("CUDA_DEVICE_ORDER"),
              IntStream.range(0, devices.count()).mapToLong(devices::totalBytes).toArray());
    }
    for (int device = 0; device < numbers.length; device++) {
      long total = devices.totalBytes(device);
      if (total > 0) {
        String gpu = "gpu_" + numbers[device] + "_memory_";
        metric.accept(gpu + "used_bytes", (double) (total - devices.freeBytes(device)));
        metric.accept(gpu + "total_bytes", (double) total);
      }
    }
  }

  /** Only asked once training runs, so that the backend is up already. */
  static final class OfNativeOps implements Devices {
    @Override
    public int count() {
      return ops().getAvailableDevices();
    }

    @Override
    public long totalBytes(int device) {
      return ops().getDeviceTotalMemory(device);
    }

    @Override
    public long freeBytes(int device) {
      return ops().getDeviceFreeMemory(device);
    }

    private static NativeOps ops() {
      return NativeOpsHolder.getInstance().getDeviceNativeOps();
    }
  }
}
