package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.waymark.status.TokenVerifier.Verdict;
import dev.waymark.status.TrainJobKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TokenIssuerTest {

  private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");
  private static final TrainJobKey IRIS = new TrainJobKey("team", "iris");
  private static final TrainJobKey OTHER = new TrainJobKey("team", "other");

  private final TokenIssuer issuer =
      new TokenIssuer(IRIS, Duration.ofMinutes(10), Clock.fixed(NOW, ZoneOffset.UTC));

  @Test
  void makesTheClaimsOfAProjectedServiceAccountToken() throws Exception {
    JWTClaimsSet claims = SignedJWT.parse(issuer.issue()).getJWTClaimsSet();

    assertThat(claims.getSubject()).isEqualTo("system:serviceaccount:team:default");
    assertThat(claims.getAudience())
        .containsExactly("trainer.kubeflow.org/v1alpha1/namespaces/team/trainjobs/iris/status");
    assertThat(claims.getIssueTime()).isEqualTo(Date.from(NOW));
    assertThat(claims.getNotBeforeTime()).isEqualTo(Date.from(NOW));
    assertThat(claims.getExpirationTime()).isEqualTo(Date.from(NOW.plusSeconds(600)));
    assertThat(claims.getJSONObjectClaim("kubernetes.io"))
        .containsEntry("namespace", "team")
        .hasEntrySatisfying(
            "serviceaccount",
            account -> assertThat((Map<?, ?>) account).extracting("name").isEqualTo("default"));
  }

  @Test
  void isAcceptedForItsTrainJobOnlyAndFromThisIssuerOnly() {
    TokenIssuer another =
        new TokenIssuer(IRIS, Duration.ofMinutes(10), Clock.fixed(NOW, ZoneOffset.UTC));

    assertThat(verdict(issuer, IRIS)).isInstanceOf(Verdict.Accepted.class);
    assertThat(verdict(issuer, OTHER)).isInstanceOf(Verdict.Refused.class);
    assertThat(verdict(another, IRIS)).isInstanceOf(Verdict.Refused.class);
  }

  private Verdict verdict(TokenIssuer from, TrainJobKey askedFor) {
    return issuer
        .verifier()
        .verify(from.issue(), askedFor.audience(), askedFor.namespace())
        .toCompletableFuture()
        .join();
  }
}
