package dev.waymark.agent.weave;

import static org.objectweb.asm.Opcodes.AASTORE;
import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ACONST_NULL;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ANEWARRAY;
import static org.objectweb.asm.Opcodes.ARETURN;
import static org.objectweb.asm.Opcodes.CHECKCAST;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.ICONST_0;
import static org.objectweb.asm.Opcodes.ICONST_1;
import static org.objectweb.asm.Opcodes.ICONST_2;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.POP;
import static org.objectweb.asm.Opcodes.PUTSTATIC;
import static org.objectweb.asm.Opcodes.RETURN;

import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Fills a woven class's hook constants in its static initialiser.
 *
 * <p>The class finds the {@link dev.waymark.agent.Bridge} by name through the system loader, which
 * any class can reach whatever its own loader sees. What fails there leaves the constant null.
 */
final class HookLookup {
  static final String HOOK = "java/util/function/BiConsumer";
  static final String HOOK_DESCRIPTOR = "L" + HOOK + ";";

  private static final String PREFIX = "waymark$";
  private static final String LOOKUP = PREFIX + "hook";
  private static final String LOOKUP_DESCRIPTOR = "(Ljava/lang/String;)" + HOOK_DESCRIPTOR;
  private static final String BRIDGE = "dev.waymark.agent.Bridge";

  private HookLookup() {}

  /** The name of the field that holds a hook. */
  static String constantOf(HookPoint point) {
    return PREFIX + point.name();
  }

  /** Adds the look-up to a class that has the constants already. */
  static void addTo(ClassNode woven) {
    InsnList initialisation = new InsnList();
    for (FieldNode field : woven.fields) {
      if (field.name.startsWith(PREFIX)) {
        initialisation.add(new LdcInsnNode(field.name.substring(PREFIX.length())));
        initialisation.add(
            new MethodInsnNode(INVOKESTATIC, woven.name, LOOKUP, LOOKUP_DESCRIPTOR, false));
        initialisation.add(new FieldInsnNode(PUTSTATIC, woven.name, field.name, field.desc));
      }
    }
    staticInitialiser(woven).instructions.insert(initialisation);
    addLookup(woven);
  }

  private static MethodNode staticInitialiser(ClassNode woven) {
    for (MethodNode method : woven.methods) {
      if (method.name.equals("<clinit>")) {
        return method;
      }
    }
    MethodNode initialiser = new MethodNode(ACC_STATIC, "<clinit>", "()V", null, null);
    initialiser.visitInsn(RETURN);
    woven.methods.add(initialiser);
    return initialiser;
  }

  /**
   * Adds the look-up, in Java's words:
   *
   * <pre>{@code
   * private static BiConsumer waymark$hook(String point) {
   *   try {
   *     return (BiConsumer) Class.forName(BRIDGE, true, ClassLoader.getSystemClassLoader())
   *         .getMethod("hook", Class.class, String.class)
   *         .invoke(null, Woven.class, point);
   *   } catch (Throwable e) {
   *     return null;
   *   }
   * }
   * }</pre>
   */
  private static void addLookup(ClassNode woven) {
    MethodVisitor code =
        woven.visitMethod(
            ACC_PRIVATE | ACC_STATIC | ACC_SYNTHETIC, LOOKUP, LOOKUP_DESCRIPTOR, null, null);
    Label start = new Label();
    Label end = new Label();
    Label caught = new Label();
    code.visitCode();
    code.visitTryCatchBlock(start, end, caught, "java/lang/Throwable");
    code.visitLabel(start);
    code.visitLdcInsn(BRIDGE);
    code.visitInsn(ICONST_1);
    call(
        code, INVOKESTATIC, ClassLoader.class, "getSystemClassLoader", "()Ljava/lang/ClassLoader;");
    call(
        code,
        INVOKESTATIC,
        Class.class,
        "forName",
        "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
    code.visitLdcInsn("hook");
    array(code, "java/lang/Class", Type.getType(Class.class), Type.getType(String.class));
    call(
        code,
        INVOKEVIRTUAL,
        Class.class,
        "getMethod",
        "(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;");
    code.visitInsn(ACONST_NULL);
    array(code, "java/lang/Object", Type.getObjectType(woven.name), null);
    call(
        code,
        INVOKEVIRTUAL,
        java.lang.reflect.Method.class,
        "invoke",
        "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;");
    code.visitTypeInsn(CHECKCAST, HOOK);
    code.visitLabel(end);
    code.visitInsn(ARETURN);
    code.visitLabel(caught);
    code.visitFrame(
        Opcodes.F_NEW,
        1,
        new Object[] {"java/lang/String"},
        1,
        new Object[] {"java/lang/Throwable"});
    code.visitInsn(POP);
    code.visitInsn(ACONST_NULL);
    code.visitInsn(ARETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
  }

  /** An array of a class constant and a second one, or the method's argument if that is null. */
  private static void array(MethodVisitor code, String element, Type first, Type second) {
    code.visitInsn(ICONST_2);
    code.visitTypeInsn(ANEWARRAY, element);
    code.visitInsn(DUP);
    code.visitInsn(ICONST_0);
    code.visitLdcInsn(first);
    code.visitInsn(AASTORE);
    code.visitInsn(DUP);
    code.visitInsn(ICONST_1);
    if (second != null) {
      code.visitLdcInsn(second);
    } else {
      code.visitVarInsn(ALOAD, 0);
    }
    code.visitInsn(AASTORE);
  }

  private static void call(
      MethodVisitor code, int opcode, Class<?> owner, String name, String descriptor) {
    code.visitMethodInsn(opcode, Type.getInternalName(owner), name, descriptor, false);
  }
}
