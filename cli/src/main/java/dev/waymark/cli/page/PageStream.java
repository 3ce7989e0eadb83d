package dev.waymark.cli.page;

import java.util.List;

/**
 * Something that comes bit by bit while a page shows it. It is asked for what has come, at the pace
 * of the page that reads; so it bounds itself what waits meanwhile. Used on one event loop, and
 * never blocks.
 */
public interface PageStream {

  /**
   * A piece of it.
   *
   * @param data one line
   * @param last whether it is the end
   */
  record Event(String name, String data, boolean last) {}

  /** Begins. */
  void start();

  /** What has come since the last call; empty: nothing. */
  List<Event> poll();

  /** Nobody reads any more; may come twice. */
  void close();
}
