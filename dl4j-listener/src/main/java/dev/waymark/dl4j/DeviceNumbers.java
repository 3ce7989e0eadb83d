package dev.waymark.dl4j;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The numbers that nvidia-smi gives to the devices which CUDA shows a process, and which CUDA
 * numbers from 0 for it: {@code gpu_<i>} is to be the same device, whoever tells of it.
 *
 * <p>{@code CUDA_VISIBLE_DEVICES} chooses devices by their numbers, or by their UUIDs, whose
 * numbers are not known here. The numbers are those of nvidia-smi where {@code CUDA_DEVICE_ORDER}
 * is {@code PCI_BUS_ID}. By default CUDA begins with the fastest, which changes nothing where all
 * are of a kind. Devices of one kind have the same memory.
 */
final class DeviceNumbers {
  private static final Pattern LIST = Pattern.compile("\\d{1,4}(\\s*,\\s*\\d{1,4})*");

  private DeviceNumbers() {}

  /**
   * The number of each device that CUDA shows.
   *
   * @param visible the variable {@code CUDA_VISIBLE_DEVICES}; null if not set
   * @param order the variable {@code CUDA_DEVICE_ORDER}; null if not set
   * @param totalBytes the memory of each device that CUDA shows, 0 if unknown
   * @return empty if the numbers can't be known
   */
  static int[] of(String visible, String order, long[] totalBytes) {
    int count = totalBytes.length;
    boolean sameOrder = "PCI_BUS_ID".equals(order) || areOfAKind(totalBytes);
    if (!sameOrder) {
      return new int[0];
    }
    if (visible == null) {
      return IntStream.range(0, count).toArray();
    }
    if (!LIST.matcher(visible.trim()).matches()) {
      return new int[0];
    }
    int[] chosen =
        Arrays.stream(visible.split(",")).map(String::trim).mapToInt(Integer::parseInt).toArray();
    return chosen.length < count ? new int[0] : Arrays.copyOf(chosen, count);
  }

  private static boolean areOfAKind(long[] totalBytes) {
    return Arrays.stream(totalBytes).filter(total -> total > 0).distinct().count() <= 1;
  }
}
