package dev.waymark.agent.build;

import dev.waymark.agent.weave.Framework;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Collects, when the agent's jar is built, what the agent's side of each framework asks of it: the
 * references of the side's own class, and of all classes beside it that it leads to. Not in the jar
 * itself.
 */
public final class ReferenceCollector {
  private final Framework framework;
  private final SortedSet<String> references = new TreeSet<>();
  private final Set<String> beside = new HashSet<>();
  private final Deque<String> unread = new ArrayDeque<>();

  private ReferenceCollector(Framework framework) {
    this.framework = framework;
  }

  /** Writes the lists into the folder that becomes {@code inst/}, given as the only argument. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    for (Framework framework : Framework.values()) {
      SortedSet<String> references =
          collect(framework, name -> Files.newInputStream(folder.resolve(name)));
      Files.writeString(folder.resolve(framework.referencesFile()), String.join("\n", references));
    }
  }

  /** Opens a class file by its name, which ends in {@code .class}. */
  @FunctionalInterface
  public interface ClassFiles {
    /** Opens the file, which is there. */
    InputStream open(String name) throws IOException;
  }

  /** What the side of a framework asks of it, in the form of {@code FrameworkReferences}. */
  public static SortedSet<String> collect(Framework framework, ClassFiles files)
      throws IOException {
    ReferenceCollector collector = new ReferenceCollector(framework);
    collector.addClass(framework.side().replace('.', '/'));
    while (!collector.unread.isEmpty()) {
      try (InputStream in = files.open(collector.unread.remove() + ".class")) {
        new ClassReader(in).accept(collector.new OfClass(), ClassReader.SKIP_DEBUG);
      }
    }
    return collector.references;
  }

  private void addClass(String name) {
    Type type = Type.getObjectType(name);
    String element = type.getSort() == Type.ARRAY ? type.getElementType().getInternalName() : name;
    if (framework.owns(element)) {
      references.add(element);
    } else if (framework.isBeside(element.replace('/', '.')) && beside.add(element)) {
      unread.add(element);
    }
  }

  private void addMember(String owner, String name, String descriptor) {
    addClass(owner);
    if (framework.owns(owner)) {
      references.add(owner + ' ' + name + ' ' + descriptor);
    }
  }

  private void addConstant(Object constant) {
    if (constant instanceof Handle) {
      Handle handle = (Handle) constant;
      addMember(handle.getOwner(), handle.getName(), handle.getDesc());
    } else if (constant instanceof Type && ((Type) constant).getSort() == Type.OBJECT) {
      addClass(((Type) constant).getInternalName());
    }
  }

  private final class OfClass extends ClassVisitor {
    OfClass() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visit(
        int version,
        int access,
        String name,
        String signature,
        String superName,
        String[] interfaces) {
      addClass(superName);
      for (String parent : interfaces) {
        addClass(parent);
      }
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      return new OfMethod();
    }
  }

  private final class OfMethod extends MethodVisitor {
    OfMethod() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      addClass(type);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      addMember(owner, name, descriptor);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      addMember(owner, name, descriptor);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      for (Object argument : arguments) {
        addConstant(argument);
      }
    }

    @Override
    public void visitLdcInsn(Object value) {
      addConstant(value);
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
      if (type != null) {
        addClass(type);
      }
    }
  }
}
