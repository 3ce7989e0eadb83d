package dev.waymark.cli.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One process of a run.
 *
 * @param name shown before its output when there are several
 * @param command program and arguments
 * @param environment all variables of the process
 * @param directory where it starts
 */
record Node(String name, List<String> command, Map<String, String> environment, Path directory) {

  Node {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }

  Node with(List<String> newCommand, Map<String, String> newEnvironment) {
    return new Node(name, newCommand, newEnvironment, directory);
  }
}
