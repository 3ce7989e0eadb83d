package dev.waymark.cli;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the agent: where the launcher says, else where the build of this tree puts it. */
final class AgentJar {

  private static final String PROPERTY = "waymark.agent";
  private static final String FROM_TARGET = "../../agent/target/waymark-agent.jar";

  private AgentJar() {}

  /**
   * An absolute path.
   *
   * @throws IOException if it is not there, or if no JVM takes its path; its message is for the
   *     user
   */
  static Path find() throws IOException {
    String told = System.getProperty(PROPERTY);
    Path agent =
        (told == null ? ownPlace().resolveSibling(FROM_TARGET) : Path.of(told))
            .toAbsolutePath()
            .normalize();
    if (!Files.isRegularFile(agent)) {
      throw new FileNotFoundException(
          "The agent is missing: " + agent + ". `mvn package -pl agent -am` builds it");
    }
    // A JVM takes what follows the first equals sign for the agent's arguments.
    if (agent.toString().contains("=")) {
      throw new IOException(
          "The agent can't be used from " + agent + ": its path must not contain \"=\"");
    }
    // It splits JAVA_TOOL_OPTIONS at white space and quotes, and knows no escape for either quote.
    if (agent.toString().contains("'") && agent.toString().contains("\"")) {
      throw new IOException(
          "The agent can't be used from " + agent + ": its path must not contain both ' and \"");
    }
    return agent;
  }

  /** The jar or the folder of classes; both lie in {@code cli/target}. */
  private static Path ownPlace() {
    try {
      return Path.of(AgentJar.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("A class path entry that is no URI", e);
    }
  }
}
