package dev.waymark.agent.weave;

import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Weaves hooks into one class: for each hook point a constant that holds the hook, and in the
 * hooked method the calls to it.
 *
 * <p>A class that was woven looks like this, in Java's words:
 *
 * <pre>{@code
 * private static final BiConsumer<Object[], Throwable> waymark$STEPPED = waymark$hook("STEPPED");
 *
 * public void step() {
 *   try {
 *     ...                                                   // as it was
 *   } catch (Throwable thrown) {
 *     try { waymark$STEPPED.accept(new Object[] {this}, thrown); } catch (Throwable ignored) {}
 *     throw thrown;
 *   }
 *   try { waymark$STEPPED.accept(new Object[] {this}, null); } catch (Throwable ignored) {}
 * }
 * }</pre>
 */
final class Weaver {
  private Weaver() {}

  /**
   * Weaves every hook point of a class whose method the class has.
   *
   * @param classFile a class that has methods of {@link HookPoint}s
   * @return the woven class file
   * @throws UnexpectedClassException if a required method is missing, or a method is not compiled
   *     the way javac does it
   */
  static byte[] weave(byte[] classFile) throws UnexpectedClassException {
    ClassReader reader = new ClassReader(classFile);
    ClassNode woven = new ClassNode();
    reader.accept(woven, ClassReader.EXPAND_FRAMES);
    for (HookPoint point : HookPoint.values()) {
      weave(woven, point);
    }
    HookLookup.addTo(woven);
    // Frames are written by hand, since computing them means loading the program's classes.
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    woven.accept(writer);
    return writer.toByteArray();
  }

  private static void weave(ClassNode woven, HookPoint point) throws UnexpectedClassException {
    boolean hooked = false;
    for (HookedMethod hook : point.methods()) {
      if (hook.owner().equals(woven.name)) {
        MethodNode method = find(woven, hook);
        if (method != null) {
          MethodWeaver.weave(woven.name, method, point);
          hooked = true;
        } else if (HookPoint.isRequired(hook)) {
          throw new UnexpectedClassException("it has no " + hook + " for " + point);
        }
      }
    }
    if (hooked) {
      woven.fields.add(constant(point));
    }
  }

  private static MethodNode find(ClassNode owner, HookedMethod hook) {
    return owner.methods.stream()
        .filter(method -> hook.is(method.name, method.desc))
        .filter(method -> (method.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0)
        .findFirst()
        .orElse(null);
  }

  private static FieldNode constant(HookPoint point) {
    return new FieldNode(
        ACC_PRIVATE | ACC_STATIC | ACC_FINAL | ACC_SYNTHETIC,
        HookLookup.constantOf(point),
        HookLookup.HOOK_DESCRIPTOR,
        null,
        null);
  }
}
