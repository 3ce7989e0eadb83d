package dev.waymark.testbed;

import java.util.function.BooleanSupplier;

/** Whether tests on a cluster run here. */
enum Decision {
  RUN,
  SKIP,
  FAIL;

  static final String HOW_TO_BUILD =
      "testbed/build builds what they need, once (Go, about ten minutes); or set "
          + Testbed.KUBECONFIG
          + " to use a cluster that has JobSet.";

  /**
   * @param kubeconfig value of {@value Testbed#KUBECONFIG}, or null
   * @param mode value of {@value Testbed#MODE}, or null
   * @param built asked only if the answer counts, since it costs a process
   * @throws IllegalStateException if the mode is unknown
   */
  static Decision of(String kubeconfig, String mode, BooleanSupplier built) {
    if (mode != null && !mode.isEmpty() && !mode.equals("required")) {
      throw new IllegalStateException(
          Testbed.MODE + " is '" + mode + "'; it can be 'required', or not set");
    }
    if (kubeconfig != null || built.getAsBoolean()) {
      return RUN;
    }
    return "required".equals(mode) ? FAIL : SKIP;
  }
}
