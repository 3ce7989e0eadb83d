package dev.waymark.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;

/** The launcher at the root takes from the sources which commands need this artefact. */
class CommandNamesTest {

  private static final Path SOURCES = Path.of("src/main/java/dev/waymark/cli/cluster");

  /** As the launcher's sed has it. */
  private static final Pattern NAME = Pattern.compile(".*name = \"([a-z]*)\".*");

  private final ClusterCommands commands = new ClusterCommands();

  @Test
  void theLauncherFindsEachCommand() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : sources()) {
      for (String line : Files.readAllLines(source)) {
        Matcher name = NAME.matcher(line);
        if (name.matches()) {
          found.add(name.group(1));
        }
      }
    }

    assertThat(Files.readString(Path.of("../../waymark")))
        .contains(
            "/cli/cluster/" + SOURCES + "/*Command.java", "s/.*name = \"\\([a-z]*\\)\".*/\\1/p");
    assertThat(found).containsExactlyInAnyOrderElementsOf(commands.names());
  }

  /** They are told apart before picocli, which knows them by their annotations, is loaded. */
  @Test
  void eachHasTheNameThatPicocliKnowsItBy() {
    assertThat(commands.names())
        .allSatisfy(
            name ->
                assertThat(commands.command(name).getClass().getAnnotation(Command.class).name())
                    .isEqualTo(name));
    assertThatThrownBy(() -> commands.command("run")).isInstanceOf(IllegalArgumentException.class);
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.list(SOURCES)) {
      return files.filter(file -> file.toString().endsWith("Command.java")).toList();
    }
  }
}
