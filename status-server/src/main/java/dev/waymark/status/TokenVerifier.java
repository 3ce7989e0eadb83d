package dev.waymark.status;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Decides whether a bearer token may report for a TrainJob. */
@FunctionalInterface
public interface TokenVerifier {

  /**
   * Checks a token. Called on the server's event loop, so it must not block.
   *
   * @param token text of the token as the client sent it, never empty
   * @param audience what the token must have been made for, see {@link TrainJobKey#audience()}
   * @param namespace where the token's service account must live
   * @return the verdict. A stage that fails (no keys at hand) is answered with 500, and so is a
   *     call that throws.
   */
  CompletionStage<Verdict> verify(String token, String audience, String namespace);

  /** What a verifier found. */
  sealed interface Verdict {

    /** The token is good for the audience and the namespace asked for. */
    record Accepted(Claims claims) implements Verdict {}

    /**
     * The token is not good.
     *
     * @param reason why, for the server's log; the client only ever learns that it is forbidden
     */
    record Refused(String reason) implements Verdict {}
  }

  /**
   * What a verified token says.
   *
   * @param subject who it was made for, or null
   * @param namespace its claim {@code kubernetes.io.namespace}, or null
   * @param pod the one that it is bound to, its claim {@code kubernetes.io.pod}; or null
   * @param audience whom it may be shown to; empty when the token names nobody
   * @param expiresAt last moment at which it is good
   */
  record Claims(
      String subject, String namespace, Pod pod, List<String> audience, Instant expiresAt) {
    public Claims {
      audience = List.copyOf(audience);
    }

    /**
     * Names a pod.
     *
     * @param name never null
     * @param uid never null
     */
    public record Pod(String name, String uid) {}
  }
}
