package dev.waymark.agent.weave;

/** Has its own version of one class; all others come from the class path. */
final class OneClassFirst extends ClassLoader {
  private final String name;
  private final byte[] classFile;

  OneClassFirst(String name, byte[] classFile) {
    super(OneClassFirst.class.getClassLoader());
    this.name = name;
    this.classFile = classFile;
  }

  @Override
  protected Class<?> loadClass(String wanted, boolean resolve) throws ClassNotFoundException {
    if (!wanted.equals(name)) {
      return super.loadClass(wanted, resolve);
    }
    Class<?> loaded = findLoadedClass(name);
    return loaded != null ? loaded : defineClass(name, classFile, 0, classFile.length);
  }
}
