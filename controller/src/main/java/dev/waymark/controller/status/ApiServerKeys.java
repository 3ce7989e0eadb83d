package dev.waymark.controller.status;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys with which a cluster signs the tokens of its service accounts, remembered. They are
 * fetched again when a token names a key that isn't among them, at most once in 10 s whatever
 * tokens come, and when they are an hour old, so that withdrawn keys go. While they can't be
 * fetched, the known ones stay. Fetching blocks the caller. Safe for every thread.
 */
final class ApiServerKeys implements JWKSource<SecurityContext> {

  private static final Logger log = LoggerFactory.getLogger(ApiServerKeys.class);

  private static final long MIN_INTERVAL = Duration.ofSeconds(10).toNanos();
  private static final long MAX_AGE = Duration.ofHours(1).toNanos();

  private final Callable<JWKSet> fetch;
  private final LongSupplier nanoTime;

  private volatile JWKSet keys;
  private volatile long triedAt;

  /**
   * Makes keys that are not there yet.
   *
   * @param fetch gets them from the API server
   */
  ApiServerKeys(Callable<JWKSet> fetch, LongSupplier nanoTime) {
    this.fetch = fetch;
    this.nanoTime = nanoTime;
  }

  @Override
  public List<JWK> get(JWKSelector selector, SecurityContext context) throws KeySourceException {
    JWKSet known = keys;
    if (known == null || age() > MAX_AGE) {
      known = refreshed(known);
    }
    List<JWK> found = selector.select(known);
    if (found.isEmpty() && age() > MIN_INTERVAL) {
      found = selector.select(refreshed(known));
    }
    return found;
  }

  private long age() {
    return nanoTime.getAsLong() - triedAt;
  }

  /**
   * Fetches the keys, unless another thread just did.
   *
   * @param seen what the caller found wanting
   */
  @SuppressWarnings("ReferenceEquality") // this very set, not one that is equal to it
  private synchronized JWKSet refreshed(JWKSet seen) throws KeySourceException {
    if (keys != seen) {
      return keys;
    }
    triedAt = nanoTime.getAsLong();
    try {
      keys = fetch.call();
    } catch (Exception e) {
      if (keys == null) {
        throw new KeySourceException(
            "the API server's keys can't be fetched: " + e.getMessage(), e);
      }
      log.warn(
          "The API server's keys can't be fetched again, the known ones stay: {}", e.toString());
    }
    return keys;
  }
}
