package dev.waymark.status;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;

/** An issuer of tokens like a cluster's. */
final class TestTokens {

  static final String ISSUER = "https://issuer.example";

  private final ECKey key;

  TestTokens() throws JOSEException {
    key = new ECKeyGenerator(Curve.P_256).keyID("test").generate();
  }

  ECKey key() {
    return key;
  }

  JWKSource<SecurityContext> keys() {
    return new ImmutableJWKSet<>(new JWKSet(key.toPublicJWK()));
  }

  String token(TrainJobKey trainJob) throws JOSEException {
    return sign(claims(trainJob.namespace(), trainJob.audience()).build());
  }

  static JWTClaimsSet.Builder claims(String namespace, String... audience) {
    Instant now = Instant.now();
    return new JWTClaimsSet.Builder()
        .issuer(ISSUER)
        .subject("system:serviceaccount:" + namespace + ":default")
        .audience(List.of(audience))
        .issueTime(Date.from(now))
        .notBeforeTime(Date.from(now))
        .expirationTime(Date.from(now.plus(Duration.ofHours(1))))
        .claim("kubernetes.io", Map.of("namespace", namespace));
  }

  String sign(JWTClaimsSet claims) throws JOSEException {
    return signText(claims.toString());
  }

  /** Signs anything, claims or not. */
  String signText(String payload) throws JOSEException {
    JWSObject token =
        new JWSObject(
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build(),
            new Payload(payload));
    token.sign(new ECDSASigner(key));
    return token.serialize();
  }
}
