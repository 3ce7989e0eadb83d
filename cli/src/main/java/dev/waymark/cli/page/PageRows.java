package dev.waymark.cli.page;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** What a page lists. Safe for every thread. */
public interface PageRows {

  /**
   * All of it at one moment.
   *
   * @param rows by their ids; nobody changes them any more
   * @param head what there is to say beside them
   */
  record Look(Map<String, ObjectNode> rows, ObjectNode head) {}

  /** As they are now; may read files. */
  Look look();

  /**
   * Has a listener called after each change that is known here; others show in the next look.
   *
   * @param listener is quick, and doesn't throw
   * @return ends it
   */
  Runnable subscribe(Runnable listener);

  /** What open pages keep when the server ends, an object of JSON; may read files. */
  default String lastWord() {
    return "{}";
  }
}
