package dev.waymark.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.util.CheckClassAdapter;

/**
 * What becomes of the frameworks' real classes. What woven code does is {@link WovenCodeTest}'s.
 */
class WeaverTest {
  private static final String TRAINER = "ai/djl/training/Trainer";

  static Stream<Arguments> hookedClasses() throws IOException {
    ClassLoader pinned = WeaverTest.class.getClassLoader();
    ClassLoader newest =
        new URLClassLoader(
            new URL[] {Path.of(System.getProperty("djl.newest.api")).toUri().toURL()},
            ClassLoader.getPlatformClassLoader());
    return Stream.concat(
        // A ParallelWrapper refers to a class of deeplearning4j-core, which the JVM does without.
        hooked()
            .filter(name -> !name.startsWith("org/deeplearning4j/parallelism/"))
            .map(name -> Arguments.of(name, "the framework we build with", pinned)),
        // Engines are not part of DJL's api.
        hooked()
            .filter(name -> name.startsWith("ai/djl/") && !name.endsWith("GradientCollector"))
            .map(name -> Arguments.of(name, "the newest DJL", newest)));
  }

  static Stream<String> hooked() {
    return Arrays.stream(HookPoint.values())
        .flatMap(point -> point.methods().stream())
        .map(HookedMethod::owner)
        .distinct();
  }

  @ParameterizedTest(name = "{0} of {1}", autoCloseArguments = false)
  @MethodSource("hookedClasses")
  void wovenClassesPassTheVerifier(String className, String framework, ClassLoader loader)
      throws Exception {
    byte[] woven = Weaver.weave(classFile(loader, className));

    StringWriter problems = new StringWriter();
    CheckClassAdapter.verify(
        new ClassReader(woven),
        WeaverTest.class.getClassLoader(),
        false,
        new PrintWriter(problems));
    assertThat(problems.toString()).isEmpty();
    assertThat(constants(woven))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(HookPoint.values())
                .filter(point -> isIn(className, point))
                .map(point -> "waymark$" + point)
                .collect(Collectors.toList()));
  }

  private static boolean isIn(String className, HookPoint point) {
    return point.methods().stream().anyMatch(method -> method.owner().equals(className));
  }

  @ParameterizedTest
  @MethodSource("hooked")
  void theJvmLinksWovenClasses(String className) throws Exception {
    byte[] woven = Weaver.weave(classFile(WeaverTest.class.getClassLoader(), className));
    String name = className.replace('/', '.');

    Class<?> linked = Class.forName(name, true, new OneClassFirst(name, woven));

    assertThat(linked.getClassLoader()).isInstanceOf(OneClassFirst.class);
  }

  @Test
  void aClassFileOfTheFutureIsRefused() throws Exception {
    byte[] trainer = classFile(WeaverTest.class.getClassLoader(), TRAINER);
    trainer[7] = (byte) 0xff;

    assertThatThrownBy(() -> Weaver.weave(trainer)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aRequiredMethodThatIsNotThereIsNamed() throws Exception {
    byte[] trainer = renamed(TRAINER, "step");

    assertThatThrownBy(() -> Weaver.weave(trainer))
        .isInstanceOf(UnexpectedClassException.class)
        .hasMessageContaining("STEPPED");
  }

  @Test
  void allMethodsThatMeanTheSameAreRequired() throws Exception {
    byte[] network = renamed("org/deeplearning4j/nn/graph/ComputationGraph", "pretrain");

    assertThatThrownBy(() -> Weaver.weave(network))
        .isInstanceOf(UnexpectedClassException.class)
        .hasMessageContaining("pretrain(")
        .hasMessageContaining("PRETRAINING_STARTED");
  }

  @Test
  void anEngineWithoutTheHookedMethodIsLeftWithoutTheHook() throws Exception {
    String collector = "ai/djl/pytorch/engine/PtGradientCollector";
    byte[] other = renamed(collector, "backward");

    assertThat(constants(Weaver.weave(other))).isEmpty();
  }

  /** A copy of a class in which a method has another name. */
  private static byte[] renamed(String className, String method) throws IOException {
    ClassNode node = new ClassNode();
    new ClassReader(classFile(WeaverTest.class.getClassLoader(), className)).accept(node, 0);
    node.methods.stream()
        .filter(candidate -> candidate.name.equals(method))
        .forEach(candidate -> candidate.name = method + "2");
    ClassWriter writer = new ClassWriter(0);
    node.accept(writer);
    return writer.toByteArray();
  }

  private static List<String> constants(byte[] woven) {
    ClassNode node = new ClassNode();
    new ClassReader(woven).accept(node, 0);
    List<FieldNode> constants =
        node.fields.stream()
            .filter(field -> field.name.startsWith("waymark$"))
            .collect(Collectors.toList());
    int constant =
        Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL | Opcodes.ACC_SYNTHETIC;
    assertThat(constants).allMatch(field -> field.access == constant);
    return constants.stream().map(field -> field.name).collect(Collectors.toList());
  }

  private static byte[] classFile(ClassLoader loader, String className) throws IOException {
    try (InputStream in = loader.getResourceAsStream(className + ".class")) {
      return in.readAllBytes();
    }
  }
}
