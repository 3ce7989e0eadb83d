package dev.waymark.cli.run;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.waymark.status.SignedTokenVerifier;
import dev.waymark.status.TokenVerifier;
import dev.waymark.status.TrainJobKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Makes the tokens that a pod of one TrainJob would find in its projected volume, and the verifier
 * that knows them. Its key lives in memory only.
 */
final class TokenIssuer {

  private static final String ISSUER = "https://waymark.run.local";

  private final TrainJobKey trainJob;
  private final Duration lifetime;
  private final Clock clock;
  private final ECKey key;
  private final String podUid = UUID.randomUUID().toString();
  private final String serviceAccountUid = UUID.randomUUID().toString();

  /**
   * @param lifetime of each token; JWT counts in seconds, so at least one
   */
  TokenIssuer(TrainJobKey trainJob, Duration lifetime, Clock clock) {
    this.trainJob = trainJob;
    this.lifetime = lifetime;
    this.clock = clock;
    try {
      key = new ECKeyGenerator(Curve.P_256).keyID(UUID.randomUUID().toString()).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException("This Java can't make a P-256 key: " + e.getMessage(), e);
    }
  }

  Duration lifetime() {
    return lifetime;
  }

  /** A token with the claims of a projected service account token. */
  String issue() {
    Instant now = clock.instant();
    Map<String, Object> kubernetes =
        Map.of(
            "namespace", trainJob.namespace(),
            "pod", Map.of("name", trainJob.name() + "-node-0-0", "uid", podUid),
            "serviceaccount", Map.of("name", "default", "uid", serviceAccountUid));
    JWTClaimsSet claims =
        new JWTClaimsSet.Builder()
            .issuer(ISSUER)
            .subject("system:serviceaccount:" + trainJob.namespace() + ":default")
            .audience(trainJob.audience())
            .issueTime(Date.from(now))
            .notBeforeTime(Date.from(now))
            .expirationTime(Date.from(now.plus(lifetime)))
            .jwtID(UUID.randomUUID().toString())
            .claim("kubernetes.io", kubernetes)
            .build();
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build(), claims);
    try {
      token.sign(new ECDSASigner(key));
    } catch (JOSEException e) {
      throw new IllegalStateException("This Java can't sign with P-256: " + e.getMessage(), e);
    }
    return token.serialize();
  }

  TokenVerifier verifier() {
    return SignedTokenVerifier.builder(
            ISSUER,
            new ImmutableJWKSet<SecurityContext>(new JWKSet(key.toPublicJWK())),
            Set.of(JWSAlgorithm.ES256))
        .clock(clock)
        .build();
  }
}
