package dev.waymark.agent;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * Loads what lies under {@code inst/} in the agent's jar: the reporter, the weaving, ASM. Its
 * parent is the platform loader, so the application can neither see these classes nor replace them.
 */
public final class AgentClassLoader extends ClassLoader {
  private static final String ROOM = "inst/";

  static {
    registerAsParallelCapable();
  }

  private final JarFile jar;

  private AgentClassLoader(JarFile jar) {
    super("waymark", ClassLoader.getPlatformClassLoader());
    this.jar = jar;
  }

  /** Reads the jar that this class came from: the agent's, or an uber jar that swallowed it. */
  static AgentClassLoader ofThisJar() throws IOException, URISyntaxException {
    File jar =
        new File(
            AgentClassLoader.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return new AgentClassLoader(new JarFile(jar, false));
  }

  /**
   * The content of a file under {@code inst/}.
   *
   * @param name for instance {@code dev/waymark/djl/ProgressTrainingListener.class}
   * @return null if there is no such file
   */
  public byte[] read(String name) throws IOException {
    ZipEntry entry = jar.getEntry(ROOM + name);
    if (entry == null) {
      return null;
    }
    try (InputStream in = jar.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    return isAtRoot(name)
        ? AgentClassLoader.class.getClassLoader().loadClass(name)
        : super.loadClass(name, resolve);
  }

  /** Classes directly in {@code dev.waymark.agent} are shared with the woven code. */
  private static boolean isAtRoot(String className) {
    String shared = AgentClassLoader.class.getPackageName() + '.';
    return className.startsWith(shared) && className.indexOf('.', shared.length()) < 0;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    try {
      byte[] bytes = read(name.replace('.', '/') + ".class");
      if (bytes == null) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
