package dev.waymark.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.agent.build.ReferenceCollector;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.VarInsnNode;

/** Which copies of DJL are woven, and when the agent stands aside as a whole. */
class FrameworkTransformerTest {
  private static final String TRAINER = "ai/djl/training/Trainer";
  private static final String EASY_TRAIN = "ai/djl/training/EasyTrain";
  private static final String ENGINE = "ai/djl/pytorch/engine/PtGradientCollector";

  private final List<String> lines = new ArrayList<>();
  private int stoodAside;
  private final FrameworkTransformer transformer =
      new FrameworkTransformer(file -> references(), new Notices(lines::add), () -> stoodAside++);

  @Test
  void aCopyIsWovenOrNotAsAWhole() throws Exception {
    Copy bad = new Copy("bad");
    bad.changed.put(EASY_TRAIN, unweavable(EASY_TRAIN));

    assertThat(load(bad, TRAINER)).isNull();
    assertThat(load(bad, EASY_TRAIN)).isNull();

    assertThat(stoodAside).isZero();
    assertThat(lines)
        .singleElement()
        .asString()
        .startsWith(
            "not attached, the training runs without progress reports:"
                + " ai.djl.training.EasyTrain can't be woven: it stores into the parameters of fit");
  }

  @Test
  void aCopyThatCanNotBeWovenHasNoPartInAnother() throws Exception {
    Copy good = new Copy("good");
    Copy changing = new Copy("changing");
    assertThat(load(good, TRAINER)).isNotNull();

    assertThat(load(changing, EASY_TRAIN, unweavable(EASY_TRAIN))).isNull();

    assertThat(stoodAside).isZero();
    assertThat(lines).singleElement().asString().startsWith("not attached");
    assertThat(load(changing, TRAINER)).isNull();
    assertThat(load(good, EASY_TRAIN)).isNotNull();
  }

  /** Another agent may have changed the class since its file was read. */
  @Test
  void whatIsWovenByHalvesSilencesTheAgent() throws Exception {
    Copy copy = new Copy("half");
    assertThat(load(copy, TRAINER)).isNotNull();

    assertThat(load(copy, EASY_TRAIN, unweavable(EASY_TRAIN))).isNull();

    assertThat(stoodAside).isEqualTo(1);
    assertThat(lines).singleElement().asString().startsWith("detached");
  }

  @Test
  void anEngineInALoaderOfItsOwnIsPartOfTheCopyThatItSees() throws Exception {
    Copy api = new Copy("shared");
    Copy engine = new Copy("shared");
    assertThat(load(api, TRAINER)).isNotNull();

    assertThat(load(engine, ENGINE, new byte[] {0})).isNull();

    assertThat(stoodAside).isEqualTo(1);
  }

  /** Neither the references are read nor ASM is asked; an engine may be of another version. */
  @Test
  void theVersionThatTheAgentWasBuiltWithIsWovenAlready() throws Exception {
    Copy copy = new Copy("known");
    Map<String, byte[]> files = new HashMap<>();
    for (String className : List.of(TRAINER, EASY_TRAIN)) {
      files.put(WovenAhead.fileOf(className), WovenAhead.difference(copy.classFile(className)));
    }
    FrameworkTransformer built =
        new FrameworkTransformer(files::get, new Notices(lines::add), () -> stoodAside++);

    for (String className : List.of(ENGINE, TRAINER, EASY_TRAIN)) {
      byte[] classFile = copy.classFile(className);
      assertThat(built.transform(null, copy, className, null, null, classFile))
          .isEqualTo(Weaver.weave(classFile));
    }
    assertThat(lines).isEmpty();
  }

  @Test
  void oneOtherClassMakesItAVersionThatIsChecked() throws Exception {
    Copy bad = new Copy("bad");
    bad.changed.put(EASY_TRAIN, unweavable(EASY_TRAIN));
    byte[] trainer = bad.classFile(TRAINER);
    byte[] difference = WovenAhead.difference(trainer);
    FrameworkTransformer built =
        new FrameworkTransformer(
            file -> file.equals(WovenAhead.fileOf(TRAINER)) ? difference : references(),
            new Notices(lines::add),
            () -> stoodAside++);

    assertThat(built.transform(null, bad, TRAINER, null, null, trainer)).isNull();

    assertThat(lines).singleElement().asString().startsWith("not attached");
  }

  private byte[] load(Copy copy, String className) throws IOException {
    return load(copy, className, copy.classFile(className));
  }

  private byte[] load(Copy copy, String className, byte[] classFile) {
    return transformer.transform(null, copy, className, null, null, classFile);
  }

  private static byte[] references() throws IOException {
    return String.join(
            "\n",
            ReferenceCollector.collect(
                Framework.DJL,
                FrameworkTransformerTest.class.getClassLoader()::getResourceAsStream))
        .getBytes(StandardCharsets.UTF_8);
  }

  /** A class whose method fit stores into its second parameter, an int. */
  private static byte[] unweavable(String className) throws IOException {
    ClassNode node = new ClassNode();
    new ClassReader(new Copy("any").classFile(className)).accept(node, 0);
    node.methods.stream()
        .filter(method -> method.name.equals("fit"))
        .forEach(
            method -> {
              InsnList store = new InsnList();
              store.add(new VarInsnNode(Opcodes.ILOAD, 1));
              store.add(new VarInsnNode(Opcodes.ISTORE, 1));
              method.instructions.insert(store);
            });
    ClassWriter writer = new ClassWriter(0);
    node.accept(writer);
    return writer.toByteArray();
  }

  /** Class files of the real DJL, some of them changed, as if they lay in a place of their own. */
  private static final class Copy extends ClassLoader {
    private final String place;
    private final Map<String, byte[]> changed = new HashMap<>();

    Copy(String place) {
      super(Copy.class.getClassLoader());
      this.place = place;
    }

    byte[] classFile(String className) throws IOException {
      try (InputStream in = getResourceAsStream(className + ".class")) {
        return in.readAllBytes();
      }
    }

    @Override
    public URL getResource(String name) {
      try {
        return new URL("file:/copies/" + place + "/" + name);
      } catch (MalformedURLException e) {
        throw new IllegalArgumentException(e);
      }
    }

    @Override
    public InputStream getResourceAsStream(String name) {
      byte[] content = changed.get(name.replaceFirst("\\.class$", ""));
      return content != null
          ? new ByteArrayInputStream(content)
          : getParent().getResourceAsStream(name);
    }
  }
}
