package dev.waymark.controller.kubernetes;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Collects the body of one answer. The client can do that by itself, but then nobody can give up an
 * answer whose body doesn't end. The pieces come one after the other.
 */
final class CollectedAnswer implements AsyncBody.Consumer<List<ByteBuffer>> {

  /**
   * An answer in full.
   *
   * @param code HTTP status
   * @param body never null
   */
  record Answer(int code, byte[] body) {}

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  @Override
  public void consume(List<ByteBuffer> pieces, AsyncBody body) {
    for (ByteBuffer piece : pieces) {
      byte[] copy = new byte[piece.remaining()];
      piece.get(copy);
      bytes.writeBytes(copy);
    }
    body.consume();
  }

  /** Reads on from the head of the answer. */
  CompletableFuture<Answer> whole(HttpResponse<AsyncBody> head) {
    CompletableFuture<Answer> whole =
        head.body().done().thenApply(end -> new Answer(head.code(), bytes.toByteArray()));
    head.body().consume();
    return whole;
  }
}
