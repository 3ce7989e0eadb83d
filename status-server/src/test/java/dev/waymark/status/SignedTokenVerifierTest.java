package dev.waymark.status;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.waymark.status.TokenVerifier.Claims;
import dev.waymark.status.TokenVerifier.Verdict;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SignedTokenVerifierTest {

  private static final TrainJobKey DEMO = new TrainJobKey("team-a", "demo");
  private static final String AUDIENCE = DEMO.audience();
  private static final Instant NOW = Instant.parse("2026-05-06T07:08:09Z");
  private static final TestTokens ISSUER = newTokens();
  private static final TestTokens STRANGER = newTokens();
  private static final RSAKey RSA = newRsaKey();

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void accepts(String why, String token) {
    assertThat(verify(token)).isInstanceOf(Verdict.Accepted.class);
  }

  static Stream<Arguments> accepts() throws Exception {
    return Stream.of(
        arguments("a token for this TrainJob", ISSUER.sign(good().build())),
        arguments(
            "two audiences of which one fits",
            ISSUER.sign(good().audience(List.of("https://elsewhere.example", AUDIENCE)).build())),
        arguments("expires right now", ISSUER.sign(good().expirationTime(Date.from(NOW)).build())),
        arguments(
            "not valid before in 5 minutes",
            ISSUER.sign(good().notBeforeTime(in(Duration.ofMinutes(5))).build())),
        arguments("no nbf", ISSUER.sign(good().notBeforeTime(null).build())),
        arguments("signed by RSA", rsaSigned(good().build())));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void refuses(String why, String token, String reason) {
    assertThat(verify(token))
        .isInstanceOfSatisfying(
            Verdict.Refused.class, refused -> assertThat(refused.reason()).contains(reason));
  }

  static Stream<Arguments> refuses() throws Exception {
    String good = ISSUER.sign(good().build());
    return Stream.of(
        arguments(
            "another TrainJob's audience",
            ISSUER.sign(good().audience(new TrainJobKey("team-a", "other").audience()).build()),
            "audience"),
        arguments(
            "the API server's audience",
            ISSUER.sign(good().audience("https://kubernetes.default.svc").build()),
            "audience"),
        arguments("no audience", ISSUER.sign(good().audience((String) null).build()), "audience"),
        arguments(
            "another namespace",
            ISSUER.sign(good().claim("kubernetes.io", Map.of("namespace", "team-b")).build()),
            "namespace"),
        arguments(
            "no namespace",
            ISSUER.sign(good().claim("kubernetes.io", Map.of()).build()),
            "namespace"),
        arguments(
            "a namespace that is no text",
            ISSUER.sign(good().claim("kubernetes.io", Map.of("namespace", 7)).build()),
            "namespace"),
        arguments(
            "no kubernetes.io",
            ISSUER.sign(good().claim("kubernetes.io", null).build()),
            "namespace"),
        arguments(
            "kubernetes.io that is no object",
            ISSUER.sign(good().claim("kubernetes.io", "team-a").build()),
            "namespace"),
        arguments(
            "expired a second ago",
            ISSUER.sign(good().expirationTime(in(Duration.ofSeconds(-1))).build()),
            "expired"),
        arguments("no exp", ISSUER.sign(good().expirationTime(null).build()), "no expiry"),
        arguments(
            "not valid before in 5 minutes and a second",
            ISSUER.sign(good().notBeforeTime(in(Duration.ofSeconds(301))).build()),
            "not valid before"),
        arguments(
            "another issuer",
            ISSUER.sign(good().issuer("https://elsewhere.example").build()),
            "issuer"),
        arguments("no issuer", ISSUER.sign(good().issuer(null).build()), "issuer"),
        arguments("another key", STRANGER.sign(good().build()), ""),
        arguments("unsigned", new PlainJWT(good().build()).serialize(), "Unsecured"),
        arguments("signature cut off", good.substring(0, good.lastIndexOf('.') + 1), ""),
        arguments("claims exchanged", exchangeClaims(good), ""),
        arguments("the public key as an HMAC secret", hmacSigned(good().build()), ""),
        arguments("an algorithm not allowed", rsaSigned(JWSAlgorithm.RS512, good().build()), ""),
        arguments("encrypted", "eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..AAAA.AAAA.AAAA", ""),
        arguments("a header of brackets only", base64("[".repeat(20_000)) + ".e30.AAAA", ""),
        arguments(
            "a deep header",
            base64("{\"alg\":\"ES256\",\"x\":" + "[".repeat(9_000) + "]".repeat(9_000) + "}")
                + ".e30.AAAA",
            ""),
        arguments("a header of another kind", base64("{\"alg\":7}") + ".e30.AAAA", ""),
        arguments("an unknown algorithm", base64("{\"alg\":\"X\"}") + ".e30.AAAA", ""),
        arguments("claims that are no object", ISSUER.signText("[1]"), ""),
        arguments("a time that is text", ISSUER.signText("{\"exp\":\"soon\"}"), ""),
        arguments("no token at all", "not.a.token", ""),
        arguments("one word", "token", ""));
  }

  @Test
  void tellsWhatTheTokenSays() throws Exception {
    JWTClaimsSet claims = good().subject("system:serviceaccount:team-a:default").build();

    assertThat(verify(ISSUER.sign(claims)))
        .isEqualTo(
            new Verdict.Accepted(
                new Claims(
                    "system:serviceaccount:team-a:default",
                    "team-a",
                    null,
                    List.of(AUDIENCE),
                    claims.getExpirationTime().toInstant())));
  }

  @Test
  void tellsThePodThatTheTokenIsBoundTo() throws Exception {
    Map<String, String> pod = Map.of("name", "demo-node-0-0-abcde", "uid", "4711");
    JWTClaimsSet claims =
        good().claim("kubernetes.io", Map.of("namespace", "team-a", "pod", pod)).build();

    assertThat(verify(ISSUER.sign(claims)))
        .isInstanceOfSatisfying(
            Verdict.Accepted.class,
            accepted ->
                assertThat(accepted.claims().pod())
                    .isEqualTo(new Claims.Pod("demo-node-0-0-abcde", "4711")));
  }

  @Test
  void checksAudienceAndNamespaceOfRememberedTokensEachTime() throws Exception {
    AtomicInteger looksForKeys = new AtomicInteger();
    TokenVerifier verifier = builder(counting(looksForKeys)).build();
    String token = ISSUER.sign(good().build());

    assertThat(verify(verifier, token, AUDIENCE, "team-a")).isInstanceOf(Verdict.Accepted.class);
    assertThat(verify(verifier, token, AUDIENCE, "team-b")).isInstanceOf(Verdict.Refused.class);
    assertThat(verify(verifier, token, "else", "team-a")).isInstanceOf(Verdict.Refused.class);
    assertThat(verify(verifier, token, AUDIENCE, "team-a")).isInstanceOf(Verdict.Accepted.class);
    assertThat(looksForKeys).hasValue(1);
  }

  @Test
  void forgetsTokensWhenTheyExpire() throws Exception {
    AtomicReference<Instant> now = new AtomicReference<>(NOW);
    InstantSource source = now::get;
    TokenVerifier verifier =
        builder(counting(new AtomicInteger())).clock(source.withZone(ZoneOffset.UTC)).build();
    String token = ISSUER.sign(good().expirationTime(in(Duration.ofMinutes(10))).build());

    assertThat(verify(verifier, token, AUDIENCE, "team-a")).isInstanceOf(Verdict.Accepted.class);
    now.set(NOW.plus(Duration.ofMinutes(10)));
    assertThat(verify(verifier, token, AUDIENCE, "team-a")).isInstanceOf(Verdict.Accepted.class);
    now.set(NOW.plus(Duration.ofMinutes(10)).plusMillis(1));
    assertThat(verify(verifier, token, AUDIENCE, "team-a")).isInstanceOf(Verdict.Refused.class);
  }

  @Test
  void remembersSoManyTokensOnly() throws Exception {
    AtomicInteger looksForKeys = new AtomicInteger();
    TokenVerifier verifier = builder(counting(looksForKeys)).rememberedTokens(2).build();
    String first = ISSUER.sign(good().jwtID("1").build());
    String second = ISSUER.sign(good().jwtID("2").build());
    String third = ISSUER.sign(good().jwtID("3").build());

    for (String token : List.of(first, second, first, third)) {
      assertThat(verify(verifier, token, AUDIENCE, "team-a")).isInstanceOf(Verdict.Accepted.class);
    }
    assertThat(looksForKeys).hasValue(3);

    verify(verifier, first, AUDIENCE, "team-a");
    assertThat(looksForKeys).hasValue(3);
    verify(verifier, second, AUDIENCE, "team-a");
    assertThat(looksForKeys).hasValue(4);
  }

  @Test
  void doesNotRememberRefusedTokens() throws Exception {
    AtomicInteger looksForKeys = new AtomicInteger();
    TokenVerifier verifier = builder(counting(looksForKeys)).build();
    String token = STRANGER.sign(good().build());

    verify(verifier, token, AUDIENCE, "team-a");
    verify(verifier, token, AUDIENCE, "team-a");

    assertThat(looksForKeys).hasValue(2);
  }

  @Test
  void checksSignaturesOnTheExecutorAndRememberedTokensAtOnce() throws Exception {
    List<Runnable> waiting = new ArrayList<>();
    Executor executor = waiting::add;
    TokenVerifier verifier = builder(ISSUER.keys()).executor(executor).build();
    String token = ISSUER.sign(good().build());

    var first = verifier.verify(token, AUDIENCE, "team-a").toCompletableFuture();
    assertThat(first).isNotDone();
    waiting.get(0).run();
    assertThat(first).isCompletedWithValueMatching(Verdict.Accepted.class::isInstance);

    var second = verifier.verify(token, AUDIENCE, "team-a").toCompletableFuture();
    assertThat(second).isCompletedWithValueMatching(Verdict.Accepted.class::isInstance);
    assertThat(waiting).hasSize(1);
  }

  @Test
  void failsWhenThereAreNoKeysToBeHad() throws Exception {
    TokenVerifier verifier =
        builder(
                (selector, context) -> {
                  throw new KeySourceException("issuer away");
                })
            .build();
    String token = ISSUER.sign(good().build());

    assertThatThrownBy(() -> verify(verifier, token, AUDIENCE, "team-a"))
        .isInstanceOf(CompletionException.class)
        .hasMessageContaining(TestTokens.ISSUER)
        .hasRootCauseMessage("issuer away");
  }

  @Test
  void needsRoomForATokenAtLeast() {
    assertThatThrownBy(() -> builder(ISSUER.keys()).rememberedTokens(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rememberedTokens must be at least 1, not 0");
  }

  private static Verdict verify(String token) {
    JWKSource<SecurityContext> keys =
        new ImmutableJWKSet<>(
            new JWKSet(List.<JWK>of(ISSUER.key().toPublicJWK(), RSA.toPublicJWK())));
    return verify(builder(keys).build(), token, AUDIENCE, "team-a");
  }

  private static Verdict verify(
      TokenVerifier verifier, String token, String audience, String namespace) {
    return verifier.verify(token, audience, namespace).toCompletableFuture().join();
  }

  private static SignedTokenVerifier.Builder builder(JWKSource<SecurityContext> keys) {
    return SignedTokenVerifier.builder(
            TestTokens.ISSUER, keys, Set.of(JWSAlgorithm.ES256, JWSAlgorithm.RS256))
        .clock(Clock.fixed(NOW, ZoneOffset.UTC));
  }

  private static JWKSource<SecurityContext> counting(AtomicInteger looks) {
    return (selector, context) -> {
      looks.incrementAndGet();
      return ISSUER.keys().get(selector, context);
    };
  }

  private static JWTClaimsSet.Builder good() {
    return TestTokens.claims("team-a", AUDIENCE)
        .issueTime(Date.from(NOW))
        .notBeforeTime(Date.from(NOW))
        .expirationTime(in(Duration.ofHours(1)));
  }

  private static Date in(Duration fromNow) {
    return Date.from(NOW.plus(fromNow));
  }

  private static String base64(String text) {
    return Base64URL.encode(text).toString();
  }

  private static String exchangeClaims(String token) {
    String[] parts = token.split("\\.", -1);
    String claims = new PlainJWT(good().jwtID("another").build()).serialize().split("\\.", -1)[1];
    return parts[0] + "." + claims + "." + parts[2];
  }

  private static String hmacSigned(JWTClaimsSet claims) throws Exception {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(RSA.getKeyID()).build(), claims);
    token.sign(new MACSigner(RSA.toPublicJWK().toJSONString().getBytes(UTF_8)));
    return token.serialize();
  }

  private static String rsaSigned(JWTClaimsSet claims) throws Exception {
    return rsaSigned(JWSAlgorithm.RS256, claims);
  }

  private static String rsaSigned(JWSAlgorithm algorithm, JWTClaimsSet claims) throws Exception {
    SignedJWT token =
        new SignedJWT(new JWSHeader.Builder(algorithm).keyID(RSA.getKeyID()).build(), claims);
    token.sign(new RSASSASigner(RSA));
    return token.serialize();
  }

  private static TestTokens newTokens() {
    try {
      return new TestTokens();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static RSAKey newRsaKey() {
    try {
      return new RSAKeyGenerator(2048).keyID("rsa").generate();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
