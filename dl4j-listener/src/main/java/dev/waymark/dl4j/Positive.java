package dev.waymark.dl4j;

/** Checks what a builder is told. */
final class Positive {
  private Positive() {}

  static long check(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be 1 or more, got " + value);
    }
    return value;
  }
}
