package dev.waymark.agent.weave;

/** An exact method of an exact class, by their names in class files. Immutable. */
final class HookedMethod {
  private final String owner;
  private final String name;
  private final String descriptor;

  HookedMethod(String owner, String name, String descriptor) {
    this.owner = owner;
    this.name = name;
    this.descriptor = descriptor;
  }

  String owner() {
    return owner;
  }

  boolean is(String methodName, String methodDescriptor) {
    return name.equals(methodName) && descriptor.equals(methodDescriptor);
  }

  /** The method in the form of {@link FrameworkReferences}. */
  String reference() {
    return owner + ' ' + name + ' ' + descriptor;
  }

  @Override
  public String toString() {
    return name + descriptor;
  }
}
