package dev.waymark.cli;

import java.util.List;

/**
 * Commands that another artefact adds to {@code waymark}; found by {@link java.util.ServiceLoader}.
 * So a local run needs no client of a cluster on its class path.
 */
public interface CommandSource {

  /** Objects that picocli takes for commands, in the order in which the help shows them. */
  List<Object> commands();
}
