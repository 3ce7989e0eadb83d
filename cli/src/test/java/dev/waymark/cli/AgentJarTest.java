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

  @Test
  void underAPathThatNoJvmTakesIsSaid() throws IOException {
    Path odd = Files.createDirectory(folder.resolve("a=b"));
    System.setProperty(
        "waymark.agent", Files.createFile(odd.resolve("waymark-agent.jar")).toString());

    assertThatThrownBy(AgentJar::find).hasMessageContainingAll("a=b", "must not contain \"=\"");
  }
}
