package dev.waymark.controller.status;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys with which a cluster signs the tokens of its service accounts, remembered. They are
 * fetched again when a token names a key that isn't among them, at most once in 10 s whatever
 * tokens come, and when they are an hour old, so that withdrawn keys go. While they can't be
 * fetched, the known ones stay.
 *
 * <p>One fetch serves all who need it at that time, and they wait for it; those who name a key that
 * is known don't. Safe for every thread.
 */
final class ApiServerKeys implements JWKSource<SecurityContext> {

  private static final Logger log = LoggerFactory.getLogger(ApiServerKeys.class);

  private static final long MIN_INTERVAL = Duration.ofSeconds(10).toNanos();
  private static final long MIN_INTERVAL_WITHOUT_KEYS = Duration.ofSeconds(1).toNanos();
  private static final long MAX_AGE = Duration.ofHours(1).toNanos();

  /** Keys, and when they were fetched. */
  private record Fetched(JWKSet keys, long at) {}

  private final Supplier<CompletableFuture<JWKSet>> fetch;
  private final LongSupplier nanoTime;

  /** Null before the first fetch that succeeds. */
  private volatile Fetched known;

  /** The fetch that is under way, or the last one; null before the first. */
  private CompletableFuture<JWKSet> lastFetch;

  private long lastFetchBegan;

  /**
   * Makes keys that are not there yet.
   *
   * @param fetch gets them from the API server; comes back at once, and ends within seconds
   */
  ApiServerKeys(Supplier<CompletableFuture<JWKSet>> fetch, LongSupplier nanoTime) {
    this.fetch = fetch;
    this.nanoTime = nanoTime;
  }

  @Override
  public List<JWK> get(JWKSelector selector, SecurityContext context) throws KeySourceException {
    Fetched current = known;
    if (current != null && nanoTime.getAsLong() - current.at() <= MAX_AGE) {
      List<JWK> found = selector.select(current.keys());
      if (!found.isEmpty()) {
        return found;
      }
    }
    return selector.select(newest());
  }

  /** Waits for the fetch that is under way, or a new one, if it is time for one. */
  private JWKSet newest() throws KeySourceException {
    CompletableFuture<JWKSet> fetching = fetching();
    try {
      return fetching.get();
    } catch (ExecutionException e) {
      Fetched before = known;
      if (before == null) {
        throw new KeySourceException("the API server's keys can't be fetched: " + e.getCause(), e);
      }
      return before.keys();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KeySourceException("interrupted while the API server's keys were fetched", e);
    }
  }

  private synchronized CompletableFuture<JWKSet> fetching() {
    long now = nanoTime.getAsLong();
    long least = known == null ? MIN_INTERVAL_WITHOUT_KEYS : MIN_INTERVAL;
    if (lastFetch == null || (lastFetch.isDone() && now - lastFetchBegan > least)) {
      lastFetchBegan = now;
      lastFetch = fetch.get().whenComplete(this::fetched);
    }
    return lastFetch;
  }

  private void fetched(JWKSet keys, Throwable failure) {
    if (failure == null) {
      known = new Fetched(keys, nanoTime.getAsLong());
    } else if (known != null) {
      log.warn(
          "The API server's keys can't be fetched again, the known ones stay: {}",
          failure.toString());
    }
  }
}
