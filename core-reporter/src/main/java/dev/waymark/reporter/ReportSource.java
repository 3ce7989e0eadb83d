package dev.waymark.reporter;

/** Where the sender gets its reports from. Called on the sender's thread and in the shutdown hook. */
interface ReportSource {
  /**
   * The next report to send, or null when there is nothing new: first the last words of ended runs
   * that are not acknowledged yet, oldest first, then the newest state of the running one.
   */
  Report next();

  /** Tells that the server has accepted this report; it is not offered again. */
  void acknowledged(Report report);
}
