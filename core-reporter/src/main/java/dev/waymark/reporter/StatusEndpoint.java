package dev.waymark.reporter;

import java.io.IOException;

/** Where the sender posts its documents. */
interface StatusEndpoint {
  /** How the log calls it. */
  String name();

  /**
   * Posts one document and waits for the answer.
   *
   * @param deadline holds for the whole exchange: connecting, handshake, request, answer
   * @throws IOException if there was no answer; its message says in words for the log what was
   *     wrong
   */
  HttpAnswer post(byte[] document, Deadline deadline) throws IOException;

  /**
   * What may be keeping the post in flight, or the last one, from getting through, in words for the
   * log; empty where nothing is known. From any thread.
   */
  default String hint() {
    return "";
  }

  /**
   * Ends the connection, and with it a post in flight, which may go on with a new one if its
   * deadline allows; so does the next post. From any thread.
   */
  void disconnect();

  /** Closes the connection for good. From any thread; a post in flight fails. */
  void close();
}
