package dev.waymark.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts the agent into the Java program of a node.
 *
 * <p>A {@code java} on the command line gets it as its first argument. Any other command (a script,
 * {@code mvn}, {@code gradle}) gets it through {@code JAVA_TOOL_OPTIONS}, which every JVM below it
 * reads, at the price of the line that each of them then prints: "Picked up JAVA_TOOL_OPTIONS".
 */
final class JavaCommand {

  private static final String JAVA_TOOL_OPTIONS = "JAVA_TOOL_OPTIONS";

  /** An agent that the command brings along, at the place that it has in an image. */
  private static final Pattern OWN_AGENT =
      Pattern.compile("-javaagent:(?:[^\\s=\"']*/)?waymark-agent[^\\s/=\"']*\\.jar");

  private JavaCommand() {}

  static boolean isJava(List<String> command) {
    String program = command.get(0);
    String name = program.substring(program.lastIndexOf('/') + 1);
    return name.equals("java");
  }

  /** Whether a path, or what begins with one, leads to the agent that this one replaces. */
  static boolean isOwnAgent(String path) {
    return OWN_AGENT.matcher("-javaagent:" + path).find();
  }

  /** The node with the agent, once; one that the command names itself is replaced by this one. */
  static Node withAgent(Node node, Path agent) {
    String option = "-javaagent:" + agent;
    List<String> command = new ArrayList<>(node.command());
    Map<String, String> environment = new HashMap<>(node.environment());

    boolean replaced = false;
    for (int i = 0; i < command.size(); i++) {
      if (OWN_AGENT.matcher(command.get(i)).find() && i > 0 && isJava(command)) {
        command.set(i, replaceOwn(command.get(i), option));
        replaced = true;
      }
    }
    String toolOptions = environment.getOrDefault(JAVA_TOOL_OPTIONS, "");
    if (OWN_AGENT.matcher(toolOptions).find()) {
      environment.put(JAVA_TOOL_OPTIONS, replaceOwn(toolOptions, quoted(option)));
      replaced = true;
    }

    if (!replaced && isJava(command)) {
      command.add(1, option);
    } else if (!replaced) {
      environment.put(JAVA_TOOL_OPTIONS, (toolOptions + " " + quoted(option)).strip());
    }
    return node.with(command, environment);
  }

  private static String replaceOwn(String text, String option) {
    return OWN_AGENT.matcher(text).replaceAll(Matcher.quoteReplacement(option));
  }

  /** The JVM splits the variable at white space, outside of single and double quotes. */
  private static String quoted(String option) {
    if (option.chars().noneMatch(c -> Character.isWhitespace(c) || c == '\'' || c == '"')) {
      return option;
    }
    return option.contains("\"") ? "'" + option + "'" : "\"" + option + "\"";
  }
}
