package dev.waymark.client;

/**
 * What a container computes on, as people say it.
 *
 * @param type {@code gpu}, {@code tpu}, {@code npu}, {@code mig-1g.5gb}, {@code cpu}; the name of a
 *     resource that no {@link DeviceMap} knows; or {@value #UNKNOWN}
 * @param count how many, as Kubernetes writes it ({@code 500m} of a cpu); or {@value #UNKNOWN}
 */
public record Device(String type, String count) {

  /** What nobody said. */
  public static final String UNKNOWN = "Unknown";

  static final Device NONE = new Device(UNKNOWN, UNKNOWN);

  /** Whether anything is known. */
  public boolean isKnown() {
    return !type.equals(UNKNOWN);
  }

  /** The same with another count. */
  Device withCount(String count) {
    return new Device(type, count);
  }

  /** The devices of so many nodes; a count that is no whole number stays as it is. */
  Device times(int nodes) {
    return isWholeNumber(count) ? withCount(Long.toString(Long.parseLong(count) * nodes)) : this;
  }

  /** Whether a text is nothing but digits, few enough to count with. */
  static boolean isWholeNumber(String text) {
    return text != null && text.matches("[0-9]{1,9}");
  }

  /** {@code gpu x 4}. */
  @Override
  public String toString() {
    return isKnown() ? type + " x " + count : UNKNOWN;
  }
}
