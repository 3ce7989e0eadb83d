package dev.waymark.reporter;

/**
 * One name and its value. Immutable; the name is as the program gave it. A number becomes text only
 * when asked for, so that a snapshot of many metrics is a quick copy.
 */
final class Metric {
  /** Beyond this, doubles don't hold every whole number, so none is printed as one. */
  private static final double WHOLE_BELOW = 1L << 53;

  private final String name;
  private final String word;
  private final double number;

  Metric(String name, String word) {
    this.name = name;
    this.word = word;
    this.number = Double.NaN;
  }

  /**
   * @param number finite
   */
  Metric(String name, double number) {
    this.name = name;
    this.word = null;
    this.number = number;
  }

  String name() {
    return name;
  }

  String value() {
    return word == null ? text(number) : word;
  }

  /**
   * The shortest text of a number, whatever the JVM's locale: 3 for 3.0, and 0.1 for the double
   * that 0.1f becomes, since frameworks compute in floats and hand over doubles.
   */
  private static String text(double number) {
    if (Math.rint(number) == number && Math.abs(number) < WHOLE_BELOW) {
      return Long.toString((long) number);
    }
    float single = (float) number;
    return single == number ? Float.toString(single) : Double.toString(number);
  }

  @Override
  public String toString() {
    return name + "=" + value();
  }
}
