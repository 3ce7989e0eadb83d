package dev.waymark.agent.weave;

import java.io.IOException;

/** Reads what lies under {@code inst/} in the agent's jar. */
@FunctionalInterface
interface AgentFiles {
  /**
   * The content of a file.
   *
   * @param name with slashes, without {@code inst/}
   * @return null if there is no such file
   */
  byte[] read(String name) throws IOException;
}
