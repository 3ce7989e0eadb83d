package example.dl4j;

/** What the trainings print. */
final class Numbers {
  private Numbers() {}

  /** Bit for bit, and alike on every JDK: decimal digits are not (since 19). */
  static void print(String name, double value) {
    System.out.println(name + " " + Double.toHexString(value));
  }
}
