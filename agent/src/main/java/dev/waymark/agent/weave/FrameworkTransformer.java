package dev.waymark.agent.weave;

import dev.waymark.reporter.TrainingRun;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Weaves the classes with hook points when they are loaded, if the framework they belong to has all
 * that the reporting asks of it. Every other class costs one look into a set; ASM is loaded at the
 * first match.
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

  /**
   * Whether the framework that a loader sees is one that the agent knows. Checked without a lock,
   * as the check asks the loader, which may have locks of its own; two threads may check the same
   * twice.
   */
  private final Map<Framework, Map<ClassLoader, Boolean>> known = new EnumMap<>(Framework.class);

  /** Frameworks of which a class was woven. */
  private final Set<Framework> woven = ConcurrentHashMap.newKeySet();

  FrameworkTransformer(AgentFiles agent, Notices notices) {
    this.agent = agent;
    this.notices = notices;
    for (Framework framework : Framework.values()) {
      known.put(framework, Collections.synchronizedMap(new WeakHashMap<>()));
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
        byte[] hooked = Weaver.weave(classFile);
        woven.add(framework);
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
   * Leaves the framework alone from now on. If others of its classes are woven already, these can't
   * be taken back, and what they tell would be half of the truth: then the agent stands aside.
   */
  private void refuse(Framework framework, ClassLoader loader, String className, String reason) {
    known.get(framework).put(loader, false);
    String problem = className.replace('/', '.') + " can't be woven: " + reason;
    if (woven.contains(framework)) {
      TrainingRun.standAside();
      notices.detached(problem);
    } else {
      notices.notAttached(problem);
    }
  }

  private boolean isKnown(Framework framework, ClassLoader loader) {
    Boolean earlier = known.get(framework).get(loader);
    if (earlier != null) {
      return earlier;
    }
    String missing = FrameworkReferences.read(framework, agent).firstMissingIn(loader);
    if (missing != null) {
      notices.notAttached(framework.in(loader) + " has no " + missing);
    }
    known.get(framework).put(loader, missing == null);
    return missing == null;
  }
}
