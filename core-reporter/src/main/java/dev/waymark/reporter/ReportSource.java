package dev.waymark.reporter;

/**
 * Where the sender gets its reports from. Called on the sender's thread only. What it throws is
 * caught and told of, and costs a back-off.
 */
interface ReportSource {
  /**
   * Whether the last word of an ended run waits for its acknowledgement. Asked each second, between
   * the reports too, so this is also where an ending that only time can tell (no step for a while)
   * is noticed. Cheap, and builds no document.
   */
  boolean hasLastWord();

  /**
   * The next report to send, or null when there is nothing new: first the last words of ended runs
   * that are not acknowledged yet, oldest first, then the newest state of the running one. Asked
   * for only when the report can be sent at once, so this is the place for what costs something:
   * the document, the accelerators' figures.
   */
  Report next();

  /**
   * Whether the last word that {@link #next} offers has a newer one behind it. A source that never
   * keeps more than one has nothing to do here.
   */
  default boolean hasOlderLastWord() {
    return false;
  }

  /**
   * There is time for the newest last word only: those before it are never offered again.
   *
   * @return how many these were, with those that were given up before and not told yet
   */
  default int dropOlderLastWords() {
    return 0;
  }

  /**
   * Somebody waits for the last words: what {@link #next} is busy with on another thread, such as
   * reading accelerators, is cut short. A source that never takes long has nothing to do here.
   */
  default void hurry() {}

  /** Tells that the server has accepted this report; it is not offered again. */
  void acknowledged(Report report);
}
