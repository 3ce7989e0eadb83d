package dev.waymark.status;

import static java.util.Objects.requireNonNull;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Accepts tokens that an issuer signed, by the rules of Kubeflow Trainer: signature, issuer, {@code
 * exp} without leeway, {@code nbf} with 5 minutes of it, audience, and the claim {@code
 * kubernetes.io.namespace}. Nobody is asked whether a pod that it is bound to still exists: a token
 * is good until it expires.
 *
 * <p>A token whose signature held is remembered by its text until it expires (so a key that the
 * issuer withdraws may live on for so long); its audience and namespace are checked each time. Safe
 * for use by all threads.
 */
public final class SignedTokenVerifier implements TokenVerifier {

  private static final Duration NOT_BEFORE_LEEWAY = Duration.ofMinutes(5);
  private static final int DEFAULT_REMEMBERED_TOKENS = 4096;

  private final DefaultJWTProcessor<SecurityContext> processor;
  private final String issuer;
  private final Clock clock;
  private final Executor executor;
  private final RememberedTokens remembered;

  private SignedTokenVerifier(Builder builder) {
    issuer = builder.issuer;
    clock = builder.clock;
    executor = builder.executor;
    remembered = new RememberedTokens(builder.rememberedTokens);
    processor = new DefaultJWTProcessor<>();
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(builder.algorithms, builder.keys));
    // Nimbus has one leeway for exp and nbf; the rules here want two. See refusal().
    processor.setJWTClaimsSetVerifier((claims, context) -> {});
  }

  /**
   * Starts a verifier.
   *
   * @param issuer what the claim {@code iss} must be
   * @param keys the issuer's keys; asked on the executor
   * @param algorithms those that tokens may be signed with, at least one
   */
  public static Builder builder(
      String issuer, JWKSource<SecurityContext> keys, Set<JWSAlgorithm> algorithms) {
    return new Builder(issuer, keys, algorithms);
  }

  @Override
  public CompletionStage<Verdict> verify(String token, String audience, String namespace) {
    Claims known = remembered.get(token, clock.instant());
    if (known != null) {
      return CompletableFuture.completedFuture(judge(known, audience, namespace));
    }
    return CompletableFuture.supplyAsync(() -> check(token, audience, namespace), executor);
  }

  private Verdict check(String token, String audience, String namespace) {
    JWTClaimsSet signed;
    try {
      signed = processor.process(token, null);
    } catch (KeySourceException e) {
      throw new IllegalStateException("no keys to check tokens of " + issuer + " with", e);
    } catch (ParseException | BadJOSEException | JOSEException e) {
      return new Verdict.Refused(e.getMessage());
    }
    Instant now = clock.instant();
    String refusal = refusal(signed, issuer, now);
    if (refusal != null) {
      return new Verdict.Refused(refusal);
    }
    Claims claims = claims(signed);
    remembered.put(token, claims);
    return judge(claims, audience, namespace);
  }

  /** Why a token is good for nobody at that time, or null. */
  static String refusal(JWTClaimsSet claims, String issuer, Instant now) {
    if (!issuer.equals(claims.getIssuer())) {
      return "its issuer is " + claims.getIssuer() + ", not " + issuer;
    }
    Date expires = claims.getExpirationTime();
    if (expires == null) {
      return "it has no expiry";
    }
    if (now.isAfter(expires.toInstant())) {
      return "it expired at " + expires.toInstant();
    }
    Date notBefore = claims.getNotBeforeTime();
    if (notBefore != null && now.plus(NOT_BEFORE_LEEWAY).isBefore(notBefore.toInstant())) {
      return "it is not valid before " + notBefore.toInstant();
    }
    return null;
  }

  private static Claims claims(JWTClaimsSet signed) {
    Map<?, ?> kubernetes =
        signed.getClaim("kubernetes.io") instanceof Map<?, ?> claims ? claims : Map.of();
    return new Claims(
        signed.getSubject(),
        kubernetes.get("namespace") instanceof String namespace ? namespace : null,
        pod(kubernetes.get("pod")),
        signed.getAudience(),
        signed.getExpirationTime().toInstant());
  }

  private static Claims.Pod pod(Object claim) {
    return claim instanceof Map<?, ?> pod
            && pod.get("name") instanceof String name
            && pod.get("uid") instanceof String uid
        ? new Claims.Pod(name, uid)
        : null;
  }

  private static Verdict judge(Claims claims, String audience, String namespace) {
    if (!claims.audience().contains(audience)) {
      return new Verdict.Refused("its audience is " + claims.audience() + ", not " + audience);
    }
    if (!namespace.equals(claims.namespace())) {
      return new Verdict.Refused("its namespace is " + claims.namespace() + ", not " + namespace);
    }
    return new Verdict.Accepted(claims);
  }

  /** Settings of a verifier; those not set have the defaults named at their method. */
  public static final class Builder {

    private final String issuer;
    private final JWKSource<SecurityContext> keys;
    private final Set<JWSAlgorithm> algorithms;
    private Clock clock = Clock.systemUTC();
    private Executor executor = Runnable::run;
    private int rememberedTokens = DEFAULT_REMEMBERED_TOKENS;

    private Builder(String issuer, JWKSource<SecurityContext> keys, Set<JWSAlgorithm> algorithms) {
      this.issuer = requireNonNull(issuer, "issuer");
      this.keys = requireNonNull(keys, "keys");
      this.algorithms = Set.copyOf(algorithms);
    }

    /** What expiry is measured by; the system's clock by default. */
    public Builder clock(Clock clock) {
      this.clock = requireNonNull(clock, "clock");
      return this;
    }

    /**
     * Where signatures are checked and keys are fetched; the caller's thread by default, which is
     * right for keys in memory only. Tokens that are remembered never wait for it.
     */
    public Builder executor(Executor executor) {
      this.executor = requireNonNull(executor, "executor");
      return this;
    }

    /** How many tokens are remembered, at least 1; 4096 by default. */
    public Builder rememberedTokens(int most) {
      if (most < 1) {
        throw new IllegalArgumentException("rememberedTokens must be at least 1, not " + most);
      }
      this.rememberedTokens = most;
      return this;
    }

    /** Makes the verifier. */
    public SignedTokenVerifier build() {
      return new SignedTokenVerifier(this);
    }
  }
}
