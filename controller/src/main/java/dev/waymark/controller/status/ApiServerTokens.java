package dev.waymark.controller.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWKSet;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.status.SignedTokenVerifier;
import dev.waymark.status.TokenVerifier;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts tokens that this cluster's API server signed. Who it is, and its keys, come from its OIDC
 * discovery, asked through the API server's own address: upstream asks the issuer's, which need not
 * be the cluster, and shows it the controller's token.
 */
final class ApiServerTokens implements TokenVerifier {

  private static final Logger log = LoggerFactory.getLogger(ApiServerTokens.class);

  private static final String DISCOVERY = "/.well-known/openid-configuration";

  /** Where the API server itself has its keys, whatever address the discovery tells others. */
  private static final String KEYS = "/openid/v1/jwks";

  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(5);
  private static final Duration RETRY = Duration.ofSeconds(2);

  private final ApiServer apiServer;
  private final ScheduledExecutorService executor;
  private final ApiServerKeys keys;

  private volatile SignedTokenVerifier verifier;
  private volatile String problem = "the API server's issuer is not known yet";

  /**
   * Makes a verifier that knows nothing yet.
   *
   * @param executor checks signatures, and waits for the keys of those whose key isn't known, so it
   *     needs a thread for each that is to be checked at a time; stays open
   */
  ApiServerTokens(ApiServer apiServer, ScheduledExecutorService executor) {
    this.apiServer = apiServer;
    this.executor = executor;
    this.keys = new ApiServerKeys(this::fetchKeys, System::nanoTime);
  }

  private CompletableFuture<JWKSet> fetchKeys() {
    return apiServer
        .read(KEYS)
        .thenApply(ApiServerTokens::keys)
        .orTimeout(REQUEST_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static JWKSet keys(byte[] answer) {
    try {
      return JWKSet.parse(new String(answer, StandardCharsets.UTF_8));
    } catch (ParseException e) {
      throw new IllegalStateException("the API server's answer holds no keys", e);
    }
  }

  /** Asks who the issuer is, until it is known. Comes back at once. */
  @SuppressWarnings("FutureReturnValueIgnored") // discovered() gets the failure
  void discover() {
    apiServer
        .read(DISCOVERY)
        .thenApply(ApiServer::parse)
        .orTimeout(REQUEST_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((found, failure) -> discovered(found, ApiServer.cause(failure)));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // it never fails
  private void discovered(JsonNode found, Throwable failure) {
    String issuer = failure == null ? found.path("issuer").asText("") : "";
    if (issuer.isEmpty()) {
      problem =
          "the API server's issuer can't be found out: "
              + (failure == null ? DISCOVERY + " names none" : failure.toString());
      log.warn("{}; will try again", problem);
      executor.schedule(this::discover, RETRY.toMillis(), TimeUnit.MILLISECONDS);
      return;
    }
    verifier =
        SignedTokenVerifier.builder(issuer, keys, algorithms(found)).executor(executor).build();
    problem = null;
    log.info("Tokens must be issued by {}", issuer);
  }

  private static Set<JWSAlgorithm> algorithms(JsonNode discovery) {
    Set<JWSAlgorithm> supported = new LinkedHashSet<>();
    for (JsonNode name : discovery.path("id_token_signing_alg_values_supported")) {
      JWSAlgorithm algorithm = JWSAlgorithm.parse(name.asText());
      // Never the algorithms whose key is a shared secret, nor none at all.
      if (JWSAlgorithm.Family.SIGNATURE.contains(algorithm)) {
        supported.add(algorithm);
      }
    }
    return supported.isEmpty() ? Set.of(JWSAlgorithm.RS256) : supported;
  }

  /** Why no token can be checked yet; empty when it can. */
  Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  @Override
  public CompletionStage<Verdict> verify(String token, String audience, String namespace) {
    SignedTokenVerifier known = verifier;
    return known == null
        ? CompletableFuture.failedFuture(new IllegalStateException(problem))
        : known.verify(token, audience, namespace);
  }
}
