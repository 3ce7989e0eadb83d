package dev.waymark.agent.weave;

import dev.waymark.reporter.TrainingRun;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Tells in one line each what was attached, what was not and why, and that nothing trained. */
final class Notices {
  private final Consumer<String> log;
  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private final Set<HookPoint> failed = ConcurrentHashMap.newKeySet();
  private volatile Framework loaded;
  private volatile boolean trained;
  private volatile boolean stoodAside;
  private volatile boolean detached;

  Notices(Consumer<String> log) {
    this.log = log;
  }

  /** Two copies of a framework may have the same to say: it is said once. */
  private void once(String text) {
    if (told.add(text)) {
      log.accept(text);
    }
  }

  void attached(String framework) {
    if (!detached) {
      once("attached to " + framework);
    }
  }

  void notAttached(String reason) {
    stoodAside = true;
    once("not attached, the training runs without progress reports: " + reason);
  }

  /** Some classes are woven already, but what they tell is not used. */
  void detached(String reason) {
    stoodAside = true;
    detached = true;
    once("detached, the training goes on without progress reports: " + reason);
  }

  /** A hook may fail at every call, each time with other words: the first ones will do. */
  void failed(HookPoint point, Throwable problem) {
    if (failed.add(point)) {
      log.accept("progress reports are incomplete, " + point + " failed: " + problem);
    }
  }

  /** A class of the framework was woven. */
  void loaded(Framework framework) {
    loaded = framework;
  }

  /** A first step was made. */
  void trained() {
    trained = true;
  }

  void atExit() {
    if (trained || stoodAside || TrainingRun.isByHand()) {
      return;
    }
    once(
        loaded != null
            ? loaded + " was loaded, but nothing was trained"
            : "no training with DJL or Deeplearning4j was seen (classes of theirs that were moved"
                + " to another package are not recognised)");
  }
}
