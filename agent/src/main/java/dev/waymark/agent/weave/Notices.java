package dev.waymark.agent.weave;

import dev.waymark.agent.Log;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Tells in one line each what was attached, what was not and why, and that nothing trained. */
final class Notices {
  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private volatile boolean loaded;
  private volatile boolean trained;

  /** Two copies of a framework may have the same to say: it is said once. */
  private void once(String text) {
    if (told.add(text)) {
      Log.info(text);
    }
  }

  void attached(String framework) {
    once("attached to " + framework);
  }

  void notAttached(String reason) {
    once("not attached, the training runs without progress reports: " + reason);
  }

  void failed(HookPoint point, Throwable problem) {
    once("progress reports are incomplete, " + point + " failed: " + problem);
  }

  /** A class of the framework was woven. */
  void loaded() {
    loaded = true;
  }

  /** A first step was made. */
  void trained() {
    trained = true;
  }

  void atExit() {
    if (trained || told.stream().anyMatch(line -> line.startsWith("not attached"))) {
      return;
    }
    once(
        loaded
            ? "DJL was loaded, but nothing was trained"
            : "no DJL training was seen (DJL classes that were moved to another package are not"
                + " recognised)");
  }
}
