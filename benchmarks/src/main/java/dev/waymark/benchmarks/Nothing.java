package dev.waymark.benchmarks;

/** A program that ends at once: what is left is the start of the JVM. */
final class Nothing {

  private Nothing() {}

  public static void main(String[] args) {}
}
