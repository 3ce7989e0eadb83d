package dev.waymark.cli;

import java.io.FileNotFoundException;
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
   * @throws FileNotFoundException if it is not there; its message is for the user
   */
  static Path find() throws FileNotFoundException {
    String told = System.getProperty(PROPERTY);
    Path agent =
        (told == null ? ownPlace().resolveSibling(FROM_TARGET) : Path.of(told))
            .toAbsolutePath()
            .normalize();
    if (!Files.isRegularFile(agent)) {
      throw new FileNotFoundException(
          "The agent is missing: " + agent + ". `mvn package -pl agent -am` builds it");
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
