package dev.waymark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentJarTest {
  @TempDir private Path folder;

  @AfterEach
  void forget() {
    System.clearProperty("waymark.agent");
  }

  @Test
  void isWhereTheLauncherSays() throws IOException {
    Path jar = Files.createFile(folder.resolve("waymark-agent.jar"));
    System.setProperty("waymark.agent", folder + "/./waymark-agent.jar");

    assertThat(AgentJar.find()).isEqualTo(jar);
  }

  @Test
  void thatIsMissingIsSaid() {
    System.setProperty("waymark.agent", folder.resolve("none.jar").toString());

    assertThatThrownBy(AgentJar::find)
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContainingAll("The agent is missing", "none.jar", "mvn package");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a=b    | must not contain "="
          a'b"c  | must not contain both ' and "
          """)
  void underAPathThatNoJvmTakesIsSaid(String name, String message) throws IOException {
    Path odd = Files.createDirectory(folder.resolve(name));
    System.setProperty(
        "waymark.agent", Files.createFile(odd.resolve("waymark-agent.jar")).toString());

    assertThatThrownBy(AgentJar::find).hasMessageContainingAll(name, message);
  }
}
