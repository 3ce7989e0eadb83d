package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class JavaCommandTest {

  private static final String OPTION = "-javaagent:/w/waymark-agent.jar";

  @ParameterizedTest(name = "{0}, JAVA_TOOL_OPTIONS={1}")
  @MethodSource
  void putsTheAgentIntoAProgramOnce(
      List<String> command, String toolOptions, List<String> newCommand, String newToolOptions) {
    Node node = JavaCommand.withAgent(node(command, toolOptions), Path.of("/w/waymark-agent.jar"));

    assertThat(node.command()).isEqualTo(newCommand);
    assertThat(node.environment().getOrDefault("JAVA_TOOL_OPTIONS", "")).isEqualTo(newToolOptions);
  }

  static Stream<Arguments> putsTheAgentIntoAProgramOnce() {
    return Stream.of(
        // A java command gets it as its first argument, and keeps what the variable says.
        arguments(
            List.of("java", "-jar", "a.jar"), "", List.of("java", OPTION, "-jar", "a.jar"), ""),
        arguments(
            List.of("/jdk/bin/java", "A"),
            "-Xmx1g",
            List.of("/jdk/bin/java", OPTION, "A"),
            "-Xmx1g"),
        // Others get it through the variable.
        arguments(List.of("./train.sh"), "", List.of("./train.sh"), OPTION),
        arguments(List.of("mvn", "test"), "-Xmx1g", List.of("mvn", "test"), "-Xmx1g " + OPTION),
        arguments(List.of("javac", "A.java"), "", List.of("javac", "A.java"), OPTION),
        // One that is named already is replaced: its path may be that of an image.
        arguments(
            List.of("java", "-javaagent:/opt/waymark/waymark-agent.jar", "A"), "",
            List.of("java", OPTION, "A"), ""),
        arguments(
            List.of("java", "-javaagent:waymark-agent-0.1.0.jar", "A"), "",
            List.of("java", OPTION, "A"), ""),
        arguments(
            List.of("java", "A"),
            "-Xmx1g -javaagent:/opt/waymark-agent.jar -ea",
            List.of("java", "A"),
            "-Xmx1g " + OPTION + " -ea"),
        // Others' agents stay, and a program's own arguments are not touched.
        arguments(
            List.of("java", "-javaagent:jacoco.jar", "A"), "",
            List.of("java", OPTION, "-javaagent:jacoco.jar", "A"), ""),
        arguments(
            List.of("echo", "-javaagent:/opt/waymark-agent.jar"),
            "",
            List.of("echo", "-javaagent:/opt/waymark-agent.jar"),
            OPTION));
  }

  @ParameterizedTest
  @MethodSource
  void quotesAPathForTheVariable(String agent, String toolOptions) {
    Node node = JavaCommand.withAgent(node(List.of("sh"), ""), Path.of(agent));

    assertThat(node.environment()).containsEntry("JAVA_TOOL_OPTIONS", toolOptions);
  }

  static Stream<Arguments> quotesAPathForTheVariable() {
    return Stream.of(
        arguments("/a b/agent.jar", "\"-javaagent:/a b/agent.jar\""),
        arguments("/it's/agent.jar", "\"-javaagent:/it's/agent.jar\""),
        arguments("/a \"b\"/agent.jar", "'-javaagent:/a \"b\"/agent.jar'"));
  }

  private static Node node(List<String> command, String toolOptions) {
    return new Node(
        "node",
        command,
        toolOptions.isEmpty() ? Map.of() : Map.of("JAVA_TOOL_OPTIONS", toolOptions),
        Path.of("/"));
  }
}
