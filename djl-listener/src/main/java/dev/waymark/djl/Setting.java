package dev.waymark.djl;

import java.util.Locale;

/**
 * A setting as the reporter reads it: the system property ({@code waymark.log} for {@code
 * WAYMARK_LOG}), or else the environment variable. The reporter's own reading is out of reach here.
 */
final class Setting {
  private Setting() {}

  /** Whether {@code WAYMARK_EPOCHS} plans the training, with a number that the reporter takes. */
  static boolean plansEpochs() {
    String epochs = of("WAYMARK_EPOCHS");
    try {
      return epochs != null && Integer.parseInt(epochs) > 0;
    } catch (NumberFormatException e) {
      return false; // which the reporter tells
    }
  }

  /** The value without blanks around it, null if it is blank or not set. */
  static String of(String name) {
    try {
      String property = System.getProperty(name.toLowerCase(Locale.ROOT).replace('_', '.'));
      String value = property == null ? System.getenv(name) : property;
      return value == null || value.isBlank() ? null : value.strip();
    } catch (SecurityException e) {
      return null; // a security manager hides it: it isn't set
    }
  }
}
