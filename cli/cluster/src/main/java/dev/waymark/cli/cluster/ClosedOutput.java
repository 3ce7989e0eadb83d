package dev.waymark.cli.cluster;

import dev.waymark.cli.terminal.Terminal;

/**
 * Nobody reads standard output any more, so there is nothing left to do for who goes on writing.
 */
final class ClosedOutput extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Goes on if somebody reads. To be called after a flush: a program in Java isn't ended by a write
   * in vain, as others are (SIGPIPE).
   *
   * @throws ClosedOutput if nobody does
   */
  static void check() {
    if (Terminal.outputIsClosed()) {
      throw new ClosedOutput();
    }
  }
}
