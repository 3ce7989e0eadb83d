package dev.waymark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ApiServerKeysTest {

  private final AtomicLong now = new AtomicLong();
  private final List<JWK> served = new ArrayList<>();
  private int fetches;
  private boolean away;
  private CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);
  private final ApiServerKeys keys = new ApiServerKeys(this::fetch, now::get);

  @Test
  void fetchesOnceForAllTokensOfKnownKeys() throws Exception {
    serve("a");

    for (int i = 0; i < 100; i++) {
      assertThat(find("a")).hasSize(1);
    }
    assertThat(fetches).isEqualTo(1);
  }

  @Test
  void fetchesAgainForAKeyThatItDoesNotKnow() throws Exception {
    serve("a");
    assertThat(find("a")).hasSize(1);
    serve("b");
    after(Duration.ofSeconds(11));

    assertThat(find("b")).hasSize(1);
    assertThat(fetches).isEqualTo(2);
  }

  @Test
  void aFloodOfUnknownKeysCostsOneFetchInTenSeconds() throws Exception {
    serve("a");
    assertThat(find("a")).hasSize(1);

    for (int i = 0; i < 1000; i++) {
      assertThat(find("forged-" + i)).isEmpty();
      after(Duration.ofMillis(10));
    }
    assertThat(fetches).isEqualTo(1);
    after(Duration.ofSeconds(1));
    assertThat(find("forged")).isEmpty();
    assertThat(fetches).isEqualTo(2);
  }

  @Test
  void letsWithdrawnKeysGoAfterAnHour() throws Exception {
    serve("a");
    assertThat(find("a")).hasSize(1);
    served.clear();
    serve("b");
    after(Duration.ofMinutes(61));

    assertThat(find("a")).isEmpty();
    assertThat(find("b")).hasSize(1);
  }

  @Test
  void keepsWhatItKnowsWhileTheApiServerIsAway() throws Exception {
    serve("a");
    assertThat(find("a")).hasSize(1);
    away = true;
    after(Duration.ofHours(2));

    assertThat(find("a")).hasSize(1);
    assertThat(find("b")).isEmpty();
  }

  @Test
  void hasNothingToSayBeforeTheFirstFetch() {
    away = true;

    assertThatThrownBy(() -> find("a"))
        .isInstanceOf(KeySourceException.class)
        .hasMessageContaining("no route");
  }

  @Test
  void asksAgainSoonWhileItHasNoKeysButNotForEachToken() throws Exception {
    away = true;
    for (int i = 0; i < 100; i++) {
      assertThatThrownBy(() -> find("a")).isInstanceOf(KeySourceException.class);
    }
    assertThat(fetches).isEqualTo(1);

    away = false;
    serve("a");
    after(Duration.ofMillis(1001));
    assertThat(find("a")).hasSize(1);
  }

  @Test
  void asksAgainSoonWhenOldKeysCouldNotBeFetched() throws Exception {
    serve("a");
    assertThat(find("a")).hasSize(1);
    away = true;
    after(Duration.ofMinutes(61));
    assertThat(find("a")).as("the known ones stay").hasSize(1);

    away = false;
    served.clear();
    after(Duration.ofSeconds(11));
    assertThat(find("a")).isEmpty();
  }

  /** All tokens of a new key come at once, when a cluster has changed its keys. */
  @Test
  void oneFetchServesAllWhoNeedIt() throws Exception {
    serve("a");
    assertThat(find("a")).hasSize(1);
    serve("b");
    after(Duration.ofSeconds(11));
    gate = new CompletableFuture<>();

    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<List<JWK>>> found =
          IntStream.range(0, 4).mapToObj(i -> threads.submit(() -> find("b"))).toList();
      assertThat(find("a")).as("a known key waits for no fetch").hasSize(1);
      gate.complete(null);

      for (Future<List<JWK>> answer : found) {
        assertThat(answer.get()).hasSize(1);
      }
      assertThat(fetches).isEqualTo(2);
    } finally {
      threads.shutdownNow();
    }
  }

  private CompletableFuture<JWKSet> fetch() {
    fetches++;
    if (away) {
      return CompletableFuture.failedFuture(new IOException("no route"));
    }
    JWKSet answer = new JWKSet(List.copyOf(served));
    return gate.thenApply(open -> answer);
  }

  private void serve(String keyId) throws JOSEException {
    served.add(new ECKeyGenerator(Curve.P_256).keyID(keyId).generate().toPublicJWK());
  }

  private List<JWK> find(String keyId) throws KeySourceException {
    return keys.get(new JWKSelector(new JWKMatcher.Builder().keyID(keyId).build()), null);
  }

  private void after(Duration time) {
    now.addAndGet(time.toNanos());
  }
}
