package dev.waymark.dl4j;

/**
 * Tells the classes of Deeplearning4j and ND4J from those that a program has derived from them,
 * whose members may have the same names and be anything.
 */
final class FrameworkClass {
  private FrameworkClass() {}

  /** The first class of the framework that an object is of; null if it is of none. */
  static Class<?> of(Object object) {
    Class<?> c = object.getClass();
    while (c != null && !isOne(c)) {
      c = c.getSuperclass();
    }
    return c;
  }

  /** Whether nothing of the object's own class is the program's. */
  static boolean isClassOf(Object object) {
    return isOne(object.getClass());
  }

  private static boolean isOne(Class<?> c) {
    return c.getName().startsWith("org.deeplearning4j.") || c.getName().startsWith("org.nd4j.");
  }
}
