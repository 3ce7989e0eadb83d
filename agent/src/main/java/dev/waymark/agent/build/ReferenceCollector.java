package dev.waymark.agent.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Collects, when the agent's jar is built, what the classes on the DJL side ask of DJL. Not in the
 * jar itself.
 */
public final class ReferenceCollector {
  private static final String FRAMEWORK = "ai/djl/";

  private final SortedSet<String> references = new TreeSet<>();

  private ReferenceCollector() {}

  /** Writes the list into the folder that becomes {@code inst/}, given as the only argument. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    Path list = folder.resolve("dev/waymark/agent/weave/djl-references.txt");
    List<Path> sides =
        List.of(folder.resolve("dev/waymark/djl"), folder.resolve("dev/waymark/agent/djl"));
    Files.writeString(list, String.join("\n", collect(sides)));
  }

  /**
   * References to DJL from all class files under some folders, in {@code djl-references.txt}'s
   * form.
   */
  public static SortedSet<String> collect(List<Path> folders) throws IOException {
    ReferenceCollector collector = new ReferenceCollector();
    for (Path folder : folders) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file :
            files.filter(path -> path.toString().endsWith(".class")).collect(Collectors.toList())) {
          collector.addAllOf(file);
        }
      }
    }
    return collector.references;
  }

  private void addAllOf(Path classFile) {
    try {
      new ClassReader(Files.readAllBytes(classFile)).accept(new OfClass(), ClassReader.SKIP_DEBUG);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void addClass(String name) {
    Type type = Type.getObjectType(name);
    String element = type.getSort() == Type.ARRAY ? type.getElementType().getInternalName() : name;
    if (element.startsWith(FRAMEWORK)) {
      references.add(element);
    }
  }

  private void addMember(String owner, String name, String descriptor) {
    if (owner.startsWith(FRAMEWORK)) {
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
