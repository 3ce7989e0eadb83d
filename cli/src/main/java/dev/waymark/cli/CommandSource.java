package dev.waymark.cli;

import java.util.List;

/**
 * Commands that another artefact adds to {@code waymark}; found by {@link java.util.ServiceLoader}.
 * So a local run needs no client of a cluster on its class path.
 */
public interface CommandSource {

  /** Their names, in the order in which the help shows them. */
  List<String> names();

  /**
   * A command as an object that picocli takes for one.
   *
   * @param name one of {@link #names}
   * @throws IllegalArgumentException if it is none of them
   */
  Object command(String name);

  /** All of them. */
  default List<Object> commands() {
    return names().stream().map(this::command).toList();
  }

  /**
   * One of its commands will run, and picocli, which reads its arguments first, isn't even loaded:
   * time to begin, in threads of its own, with what all of them need. Returns at once.
   */
  default void prepare() {}
}
