package dev.waymark.benchmarks;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.function.BiConsumer;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Switches the hooks of Waymark's agent off and on, so that one process can train with and without
 * them in turns: two processes differ by more than the hooks cost.
 *
 * <p>It is a Java agent that is named after Waymark's, and so gets classes that are woven already.
 * Where these read a hook it lets them read null while hooks are off, which is what they find where
 * nobody is to be told. What is left of a hook then is a branch.
 */
public final class HookSwitch {
  /** What the agent's fields are called. */
  private static final String HOOKS = "waymark$";

  private static final String HOOK = "Ljava/util/function/BiConsumer;";

  private static boolean installed;
  private static boolean on = true;

  private HookSwitch() {}

  /** Called by the JVM for {@code -javaagent}. */
  public static void premain(String arguments, Instrumentation instrumentation) {
    installed = true;
    instrumentation.addTransformer(new Switched());
  }

  /** Whether this process has the agent and its switch. */
  static boolean isInstalled() {
    return installed;
  }

  /** To be called while nothing is trained, for what began with hooks would end without. */
  static void set(boolean hooksAreOn) {
    on = hooksAreOn;
  }

  /** What woven classes call where they read a hook. */
  public static BiConsumer<Object[], Throwable> ifOn(BiConsumer<Object[], Throwable> hook) {
    if (!on) {
      return null;
    }
    Stopwatch.start();
    return hook;
  }

  /** What they call after a hook. */
  public static void called() {
    Stopwatch.stop();
  }

  private static final class Switched implements ClassFileTransformer {
    @Override
    public byte[] transform(
        ClassLoader loader,
        String className,
        Class<?> redefined,
        ProtectionDomain domain,
        byte[] classFile) {
      boolean woven = new String(classFile, StandardCharsets.ISO_8859_1).contains(HOOKS);
      return woven && className.startsWith("org/") ? switched(classFile) : null;
    }

    private static byte[] switched(byte[] woven) {
      ClassReader reader = new ClassReader(woven);
      ClassWriter writer = new ClassWriter(reader, 0); // the stack is as deep as before
      reader.accept(
          new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] thrown) {
              return new SwitchedMethod(
                  super.visitMethod(access, name, descriptor, signature, thrown));
            }
          },
          0);
      return writer.toByteArray();
    }
  }

  private static final class SwitchedMethod extends MethodVisitor {
    /** Whether a hook was read that isn't called yet. */
    private boolean read;

    SwitchedMethod(MethodVisitor woven) {
      super(Opcodes.ASM9, woven);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      super.visitFieldInsn(opcode, owner, name, descriptor);
      if (opcode == Opcodes.GETSTATIC && name.startsWith(HOOKS)) {
        read = true;
        addCall("ifOn", "(" + HOOK + ")" + HOOK);
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      if (read && name.equals("accept") && owner.equals(HOOK.substring(1, HOOK.length() - 1))) {
        read = false;
        addCall("called", "()V");
      }
    }

    private void addCall(String name, String descriptor) {
      super.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          HookSwitch.class.getName().replace('.', '/'),
          name,
          descriptor,
          false);
    }
  }
}
