package dev.waymark.cli.run;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How a run is shown and kept.
 *
 * @param agent the agent's jar
 * @param historyDirectory where the history of runs lies
 * @param record file that gets each accepted report, or null
 * @param pagePort port of the page, 0 for any, or null for no page
 * @param tokenLifetime of each token; at least a second
 */
public record RunOptions(
    Path agent, Path historyDirectory, Path record, Integer pagePort, Duration tokenLifetime) {

  /** Kubelet's lower limit for a projected token. */
  private static final Duration DEFAULT_TOKEN_LIFETIME = Duration.ofMinutes(10);

  /** No record, no page, the usual life of tokens. */
  public RunOptions(Path agent, Path historyDirectory) {
    this(agent, historyDirectory, null, null, DEFAULT_TOKEN_LIFETIME);
  }

  /** The same with a record, or null for none. */
  public RunOptions withRecord(Path file) {
    return new RunOptions(agent, historyDirectory, file, pagePort, tokenLifetime);
  }

  /** The same with a page on this port, 0 for any. */
  public RunOptions withPage(int port) {
    return new RunOptions(agent, historyDirectory, record, port, tokenLifetime);
  }

  /** The same with tokens that live so long. */
  public RunOptions withTokenLifetime(Duration lifetime) {
    return new RunOptions(agent, historyDirectory, record, pagePort, lifetime);
  }
}
