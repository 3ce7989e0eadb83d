package dev.waymark.status.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.function.Supplier;

/** Answers the requests of a {@link WebServer}. */
public interface RequestAnswerer {

  /**
   * Answers one request. Called on the server's event loop, which it must not hold up.
   *
   * @param body reads the body, its first bytes only when it is longer than the server takes; to be
   *     called only when the body counts. When it fails (the client has gone), so does the answer.
   */
  Future<HttpAnswer> answer(RequestHead head, Supplier<Future<Buffer>> body);

  /** What to say when {@link #answer} throws or fails, which is a defect. */
  default HttpAnswer defect() {
    return HttpAnswer.text(500, "Internal Server Error\n");
  }
}
