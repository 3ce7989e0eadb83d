package dev.waymark.agent.weave;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Weaves the classes with hook points when they are loaded, if the copy of the framework that they
 * belong to has all that the reporting asks of it. Every other class costs one look into a set; ASM
 * is loaded at the first match that isn't {@linkplain WovenAhead woven ahead}.
 */
final class FrameworkTransformer implements ClassFileTransformer {
  private static final Map<String, Framework> CLASSES = new HashMap<>();

  static {
    for (HookPoint point : HookPoint.values()) {
      for (HookedMethod method : point.methods()) {
        CLASSES.put(method.owner(), point.framework());
      }
    }
  }

  private final AgentFiles agent;
  private final Notices notices;
  private final Runnable standAside;
  private final WovenAhead ahead;

  /**
   * Whether the framework that a loader sees is one that the agent knows. Checked without a lock,
   * as the check asks the loader, which may have locks of its own; two threads may check the same
   * twice.
   */
  private final Map<Framework, Map<ClassLoader, Boolean>> known = new EnumMap<>(Framework.class);

  /** Loaders of which a class was woven, and where the copy lies that each of them sees. */
  private final Map<Framework, Map<ClassLoader, String>> woven = new EnumMap<>(Framework.class);

  /**
   * @param standAside ends all reporting by the agent
   */
  FrameworkTransformer(AgentFiles agent, Notices notices, Runnable standAside) {
    this.agent = agent;
    this.notices = notices;
    this.standAside = standAside;
    ahead = new WovenAhead(agent);
    for (Framework framework : Framework.values()) {
      known.put(framework, Collections.synchronizedMap(new WeakHashMap<>()));
      woven.put(framework, Collections.synchronizedMap(new WeakHashMap<>()));
    }
  }

  @Override
  public byte[] transform(
      Module module,
      ClassLoader loader,
      String className,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    Framework framework = className == null ? null : CLASSES.get(className);
    return framework != null && loader != null && redefined == null
        ? weave(framework, loader, className, classFile)
        : null;
  }

  /** The woven class, or null, which leaves the class as it is, if anything stands against it. */
  private byte[] weave(
      Framework framework, ClassLoader loader, String className, byte[] classFile) {
    try {
      if (isKnown(framework, loader)) {
        byte[] hooked = woven(className, classFile);
        if (!woven.get(framework).containsKey(loader)) {
          woven.get(framework).put(loader, placeOf(framework, loader));
        }
        notices.loaded(framework);
        return hooked;
      }
    } catch (UnexpectedClassException e) {
      refuse(framework, loader, className, e.getMessage());
    } catch (Throwable t) {
      refuse(framework, loader, className, t.toString());
    }
    return null;
  }

  /**
   * Leaves the copy alone from now on. If others of its classes are woven already, these can't be
   * taken back, and what they tell would be half of the truth: then the agent stands aside. Another
   * copy, in another loader, has no part in that.
   */
  private void refuse(Framework framework, ClassLoader loader, String className, String reason) {
    known.get(framework).put(loader, false);
    String problem = unwoven(className, reason);
    if (woven.get(framework).containsValue(placeOf(framework, loader))) {
      standAside.run();
      notices.detached(problem);
    } else {
      notices.notAttached(problem);
    }
  }

  /**
   * What tells one copy from another. Loaders may share one, as an engine's does with DJL's; where
   * no loader can tell, all are taken for the same.
   */
  private static String placeOf(Framework framework, ClassLoader loader) {
    try {
      return String.valueOf(loader.getResource(classFileOf(framework.anchor())));
    } catch (RuntimeException e) {
      return "unknown";
    }
  }

  private boolean isKnown(Framework framework, ClassLoader loader) throws IOException {
    Boolean earlier = known.get(framework).get(loader);
    if (earlier != null) {
      return earlier;
    }
    String misfit = misfit(framework, loader);
    if (misfit != null) {
      notices.notAttached(misfit);
    }
    known.get(framework).put(loader, misfit == null);
    return misfit == null;
  }

  /** Why the copy that a loader sees can't be reported; null if it can. */
  private String misfit(Framework framework, ClassLoader loader) throws IOException {
    if (isWovenAhead(framework, loader)) {
      return null; // The very version that the agent was built with has all that it asks for.
    }
    String missing = FrameworkReferences.read(framework, agent).firstMissingIn(loader);
    return missing == null
        ? firstUnweavable(framework, loader)
        : framework.in(loader) + " has no " + missing;
  }

  private boolean isWovenAhead(Framework framework, ClassLoader loader) throws IOException {
    for (String className : HookPoint.requiredClasses(framework)) {
      byte[] classFile = read(loader, className);
      if (classFile == null || ahead.weave(className, classFile) == null) {
        return false;
      }
    }
    return true;
  }

  /** Tries all classes before the first is woven, so that none is if one of them can't be. */
  private static String firstUnweavable(Framework framework, ClassLoader loader)
      throws IOException {
    for (String className : HookPoint.requiredClasses(framework)) {
      try {
        Weaver.weave(read(loader, className));
      } catch (UnexpectedClassException e) {
        return unwoven(className, e.getMessage());
      }
    }
    return null;
  }

  private byte[] woven(String className, byte[] classFile)
      throws IOException, UnexpectedClassException {
    byte[] ready = ahead.weave(className, classFile);
    return ready == null ? Weaver.weave(classFile) : ready;
  }

  /** The class file that a loader has; null if it has none. */
  private static byte[] read(ClassLoader loader, String className) throws IOException {
    try (InputStream in = loader.getResourceAsStream(classFileOf(className))) {
      return in == null ? null : in.readAllBytes();
    }
  }

  private static String classFileOf(String className) {
    return className.replace('.', '/') + ".class";
  }

  private static String unwoven(String className, String reason) {
    return className.replace('/', '.') + " can't be woven: " + reason;
  }
}
