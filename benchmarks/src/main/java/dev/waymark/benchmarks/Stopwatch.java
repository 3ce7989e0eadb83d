package dev.waymark.benchmarks;

/**
 * Measures how long the calls take that tell Waymark of a training, in their place between the
 * iterations, when these have pushed everything out of the caches. For the one thread that trains.
 */
final class Stopwatch {
  private static boolean runs;
  private static long startedAt;
  private static long nanos;

  private Stopwatch() {}

  /** From now on calls are measured, or not. */
  static void run(boolean measured) {
    runs = measured;
    nanos = 0;
  }

  /** A call begins. */
  static void start() {
    if (runs) {
      startedAt = System.nanoTime();
    }
  }

  /** It has ended. */
  static void stop() {
    if (runs) {
      nanos += System.nanoTime() - startedAt;
    }
  }

  /** How long all calls have taken since the last question. */
  static long nanos() {
    long taken = nanos;
    nanos = 0;
    return taken;
  }
}
