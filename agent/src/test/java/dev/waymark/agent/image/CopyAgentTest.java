package dev.waymark.agent.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The images are for Linux; a file's permissions are those of POSIX. */
@DisabledOnOs(OS.WINDOWS)
class CopyAgentTest {

  @TempDir Path image;
  @TempDir Path volume;

  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private Path jar;

  @BeforeEach
  void makeJar() throws IOException {
    jar = Files.writeString(image.resolve("waymark-agent.jar"), "the agent");
    Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void everybodyMayReadTheCopyAndNothingElseIsLeft() throws IOException {
    assertThat(run(jar.toString(), volume.toString())).isZero();

    Path copy = volume.resolve("waymark-agent.jar");
    assertThat(copy).hasContent("the agent");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
        .isEqualTo("rw-r--r--");
    try (Stream<Path> files = Files.list(volume)) {
      assertThat(files).containsExactly(copy);
    }
    assertThat(log.toString(UTF_8)).isEmpty();
  }

  @Test
  void aContainerThatIsStartedAgainReplacesWhatIsThere() throws IOException {
    Files.writeString(volume.resolve("waymark-agent.jar"), "an older agent");
    Files.writeString(volume.resolve("waymark-agent.jar.unfinished"), "half of an older agent");

    assertThat(run(jar.toString(), volume.toString())).isZero();

    assertThat(volume.resolve("waymark-agent.jar")).hasContent("the agent");
  }

  @Test
  void aFolderThatIsNotThereIsNamed() {
    Path folder = volume.resolve("opt");

    assertThat(run(jar.toString(), folder.toString())).isOne();

    assertThat(log.toString(UTF_8)).contains("there is no " + folder);
  }

  @Test
  void aJarThatIsNotThereIsNamed() {
    Path absent = image.resolve("other.jar");

    assertThat(run(absent.toString(), volume.toString())).isOne();

    assertThat(log.toString(UTF_8)).contains("there is no " + absent);
  }

  @Test
  void withoutFolderItSaysWhatIsMissing() {
    assertThat(run(jar.toString())).isEqualTo(2);

    assertThat(log.toString(UTF_8)).contains("such as /opt/waymark").contains("there are 0");
  }

  @Test
  void aSecondFolderIsNoArgument() {
    assertThat(run(jar.toString(), "/a", "/b")).isEqualTo(2);

    assertThat(log.toString(UTF_8)).contains("there are 2");
  }

  private int run(String... arguments) {
    return CopyAgent.run(new PrintStream(log, true, UTF_8), arguments);
  }
}
