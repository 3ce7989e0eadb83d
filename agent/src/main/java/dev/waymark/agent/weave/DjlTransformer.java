package dev.waymark.agent.weave;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.stream.Collectors;

/**
 * Weaves the classes with hook points when they are loaded, if the DJL they belong to has all that
 * the reporting asks of it. Every other class costs one look into a set; ASM is loaded at the first
 * match.
 */
final class DjlTransformer implements ClassFileTransformer {
  private static final Set<String> CLASSES =
      Arrays.stream(HookPoint.values()).map(HookPoint::owner).collect(Collectors.toSet());

  private final AgentFiles agent;
  private final Notices notices;

  /**
   * Whether the DJL that a loader sees is one that the agent knows. Checked without a lock, as the
   * check asks the loader, which may have locks of its own; two threads may check the same twice.
   */
  private final Map<ClassLoader, Boolean> known = Collections.synchronizedMap(new WeakHashMap<>());

  DjlTransformer(AgentFiles agent, Notices notices) {
    this.agent = agent;
    this.notices = notices;
  }

  @Override
  public byte[] transform(
      Module module,
      ClassLoader loader,
      String className,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    boolean hasHooks = className != null && CLASSES.contains(className);
    return hasHooks && loader != null && redefined == null
        ? weave(loader, className, classFile)
        : null;
  }

  /** The woven class, or null, which leaves the class as it is, if anything stands against it. */
  private byte[] weave(ClassLoader loader, String className, byte[] classFile) {
    try {
      if (isKnown(loader)) {
        byte[] woven = Weaver.weave(classFile);
        notices.loaded();
        return woven;
      }
    } catch (UnexpectedClassException e) {
      refuse(loader, className, e.getMessage());
    } catch (Throwable t) {
      refuse(loader, className, t.toString());
    }
    return null;
  }

  private void refuse(ClassLoader loader, String className, String reason) {
    known.put(loader, false);
    notices.notAttached(className.replace('/', '.') + " can't be woven: " + reason);
  }

  private boolean isKnown(ClassLoader loader) {
    Boolean earlier = known.get(loader);
    if (earlier != null) {
      return earlier;
    }
    String missing = DjlReferences.read(agent).firstMissingIn(loader);
    if (missing != null) {
      notices.notAttached(DjlVersion.of(loader) + " has no " + missing);
    }
    known.put(loader, missing == null);
    return missing == null;
  }
}
