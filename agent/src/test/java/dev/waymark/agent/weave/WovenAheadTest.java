package dev.waymark.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WovenAheadTest {
  private static final String TRAINER = "ai/djl/training/Trainer";

  private final Map<String, byte[]> files = new HashMap<>();
  private final WovenAhead ahead = new WovenAhead(files::get);

  static Set<String> hookedClasses() {
    return HookPoint.hookedClasses(Framework.DJL);
  }

  @ParameterizedTest
  @MethodSource("hookedClasses")
  void theBuildWeavesAsTheAgentWould(String className) throws Exception {
    byte[] original = classFile(className);
    byte[] difference = WovenAhead.difference(original);
    files.put(WovenAhead.fileOf(className), difference);

    assertThat(ahead.weave(className, original)).isEqualTo(Weaver.weave(original));
    assertThat(difference).hasSizeLessThan(1500);
  }

  @Test
  void aClassThatIsNotTheOneIsLeftToTheWeaver() throws Exception {
    byte[] other = classFile(TRAINER);
    files.put(WovenAhead.fileOf(TRAINER), WovenAhead.difference(other));
    other[other.length - 1] ^= 1;

    assertThat(ahead.weave(TRAINER, other)).isNull();
    assertThat(ahead.weave(TRAINER, Arrays.copyOf(other, 10))).isNull();
  }

  @Test
  void aClassThatTheBuildHasNotWovenIsLeftToTheWeaver() throws Exception {
    assertThat(ahead.weave(TRAINER, classFile(TRAINER))).isNull();
  }

  @Test
  void aDamagedDifferenceIsNone() throws Exception {
    byte[] original = classFile(TRAINER);
    byte[] difference = WovenAhead.difference(original);

    for (int length = 0; length < difference.length; length += 7) {
      files.put(WovenAhead.fileOf(TRAINER), Arrays.copyOf(difference, length));
      assertThat(ahead.weave(TRAINER, original)).as("%d bytes", length).isNull();
    }
  }

  @Test
  void aClassFileThatIsTooLargeIsRefused() throws IOException {
    byte[] network = classFile("org/deeplearning4j/nn/multilayer/MultiLayerNetwork");

    assertThatThrownBy(() -> WovenAhead.difference(network))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static byte[] classFile(String className) throws IOException {
    String file = className + ".class";
    try (InputStream in = WovenAheadTest.class.getClassLoader().getResourceAsStream(file)) {
      return in.readAllBytes();
    }
  }
}
