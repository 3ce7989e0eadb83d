package dev.waymark.dl4j;

import java.util.function.ObjDoubleConsumer;
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

  /** Asked once: it doesn't change while a process runs. */
  private int count = -1;

  DeviceMemory(Devices devices) {
    this.devices = devices;
  }

  static DeviceMemory ofBackend() {
    return new DeviceMemory(new OfNativeOps());
  }

  /** Tells the figures under the names that they have for every framework. */
  void tell(ObjDoubleConsumer<String> metric) {
    if (count < 0) {
      count = devices.count();
    }
    for (int device = 0; device < count; device++) {
      long total = devices.totalBytes(device);
      if (total > 0) {
        String gpu = "gpu_" + device + "_memory_";
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
