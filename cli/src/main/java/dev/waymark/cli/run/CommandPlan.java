package dev.waymark.cli.run;

import dev.waymark.status.TrainJobKey;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Plans a command that is no TrainJob: one node, here, with this shell's environment. */
final class CommandPlan {

  private static final String NAMESPACE = "default";
  private static final int LONGEST_NAME = 63;

  /** Options of the {@code java} launcher that take the next argument as their value. */
  private static final List<String> OPTIONS_WITH_VALUE =
      List.of(
          "-cp",
          "-classpath",
          "--class-path",
          "-p",
          "--module-path",
          "--add-modules",
          "--add-exports",
          "--add-opens",
          "--add-reads",
          "--limit-modules",
          "--upgrade-module-path",
          "--patch-module",
          "--enable-native-access",
          "--source",
          "--describe-module",
          "-d");

  private CommandPlan() {}

  static RunPlan of(List<String> command, Map<String, String> environment, Path directory) {
    String name = trainJobName(command);
    return new RunPlan(
        new TrainJobKey(NAMESPACE, name),
        List.of(new Node(name, command, environment, directory)),
        true,
        RunPlan.DEFAULT_GRACE,
        List.of());
  }

  /**
   * A name that Kubernetes would take (an RFC 1035 label), after the jar, main class or program.
   */
  static String trainJobName(List<String> command) {
    String label =
        whatRuns(command)
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9]+", "-")
            .replaceAll("^[^a-z]+", "");
    label = label.substring(0, Math.min(LONGEST_NAME, label.length())).replaceAll("-+$", "");
    return label.isEmpty() ? "program" : label;
  }

  private static String whatRuns(List<String> command) {
    String program = fileName(command.get(0));
    if (!JavaCommand.isJava(command)) {
      return program;
    }
    for (int i = 1; i < command.size(); i++) {
      String argument = command.get(i);
      if (OPTIONS_WITH_VALUE.contains(argument)) {
        i++;
      } else if (argument.equals("-m") || argument.equals("--module")) {
        String module = i + 1 < command.size() ? command.get(i + 1) : program;
        return module.substring(module.lastIndexOf('/') + 1);
      } else if (!argument.startsWith("-") && !argument.startsWith("@")) {
        return argument.matches(".*\\.(jar|java)")
            ? fileName(argument).replaceAll("\\.(jar|java)$", "")
            : argument.substring(argument.lastIndexOf('.') + 1);
      }
    }
    return program;
  }

  private static String fileName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
