package dev.waymark.agent.weave;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * All that the agent and its listener ask of a framework: classes, and members of classes. The
 * build collects it from their class files; it is checked against the copy at hand before anything
 * is woven, by reading class files only, so that no class is loaded early.
 */
final class FrameworkReferences {
  /** One reference a line: a class, or a class, a member's name and its descriptor. */
  private final List<String> references;

  FrameworkReferences(List<String> references) {
    this.references = references;
  }

  /** The references that the build has collected, and the methods to be hooked. */
  static FrameworkReferences read(Framework framework, AgentFiles agent) {
    List<String> references = new ArrayList<>();
    for (HookPoint point : HookPoint.values()) {
      if (point.framework() == framework) {
        point.methods().stream()
            .filter(HookPoint::isRequired)
            .map(HookedMethod::reference)
            .forEach(references::add);
      }
    }
    try {
      byte[] collected = agent.read(framework.referencesFile());
      references.addAll(Arrays.asList(new String(collected, StandardCharsets.UTF_8).split("\n")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new FrameworkReferences(references);
  }

  /**
   * The first reference that leads nowhere, in the words of a log line.
   *
   * @return null if all are there
   */
  String firstMissingIn(ClassLoader loader) {
    Check check = new Check(loader);
    return references.stream()
        .filter(reference -> !check.isThere(reference))
        .map(reference -> reference.replaceFirst(" ", ".").replace(" ", "").replace('/', '.'))
        .findFirst()
        .orElse(null);
  }

  /** One pass over one loader's classes; each class file is read once. */
  private static final class Check {
    private final ClassLoader loader;
    private final Map<String, Shape> shapes = new HashMap<>();

    Check(ClassLoader loader) {
      this.loader = loader;
    }

    boolean isThere(String reference) {
      String[] parts = reference.split(" ", 2);
      return parts.length == 1 ? shape(parts[0]).exists : has(parts[0], parts[1]);
    }

    /** Whether a class has a member, or inherits it; members are {@code name descriptor}. */
    private boolean has(String className, String member) {
      if (className == null) {
        return false;
      }
      Shape shape = shape(className);
      return shape.members.contains(member)
          || has(shape.superclass, member)
          || shape.interfaces.stream().anyMatch(parent -> has(parent, member));
    }

    private Shape shape(String className) {
      return shapes.computeIfAbsent(
          className, name -> name.startsWith("java/") ? ofJdk(name) : ofFramework(name));
    }

    private Shape ofFramework(String className) {
      Shape shape = new Shape();
      try (InputStream in = loader.getResourceAsStream(className + ".class")) {
        if (in != null) {
          int skipped = ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES;
          new ClassReader(in).accept(shape, skipped);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return shape;
    }

    /** By reflection: the class files of a JDK may be newer than ASM. */
    private static Shape ofJdk(String className) {
      Shape shape = new Shape();
      try {
        Class<?> jdkClass =
            Class.forName(className.replace('/', '.'), false, ClassLoader.getPlatformClassLoader());
        shape.exists = true;
        for (Method method : jdkClass.getMethods()) {
          shape.members.add(method.getName() + ' ' + Type.getMethodDescriptor(method));
        }
      } catch (ClassNotFoundException e) {
        shape.exists = false;
      }
      return shape;
    }
  }

  /** What a class declares and where it inherits from. */
  private static final class Shape extends ClassVisitor {
    private final Set<String> members = new HashSet<>();
    private boolean exists;
    private String superclass;
    private List<String> interfaces = List.of();

    Shape() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visit(
        int version,
        int access,
        String name,
        String signature,
        String superName,
        String[] interfaceNames) {
      exists = true;
      superclass = superName;
      interfaces = List.of(interfaceNames);
    }

    @Override
    public FieldVisitor visitField(
        int access, String name, String descriptor, String signature, Object value) {
      members.add(name + ' ' + descriptor);
      return null;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      members.add(name + ' ' + descriptor);
      return null;
    }
  }
}
