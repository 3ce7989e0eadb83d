package dev.waymark.dl4j;

/**
 * Tells whether an iteration was made that something was thrown out of. The parameters are updated
 * before the listeners are told (1.0.0-M2.1), so one whose listener has thrown was.
 */
final class ThrownByListener {
  private ThrownByListener() {}

  /**
   * Whether it was thrown out of the {@code iterationDone} of a listener. Those of trainings
   * further out, within which this one runs, don't count.
   *
   * @param iteration the method that makes the iteration and then tells the listeners
   */
  static boolean isIn(Throwable thrown, String iteration) {
    for (StackTraceElement frame : thrown.getStackTrace()) {
      if (frame.getMethodName().equals("iterationDone")) {
        return true;
      }
      if (frame.getMethodName().equals(iteration)) {
        return false;
      }
    }
    return false;
  }
}
