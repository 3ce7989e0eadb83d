package dev.waymark.status;

import dev.waymark.status.TokenVerifier.Claims;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Claims of tokens whose signature held, by the token's text; the least recently used go first. */
final class RememberedTokens {

  private static final float LOAD_FACTOR = 0.75f;

  private final Map<String, Claims> claimsByToken;

  RememberedTokens(int capacity) {
    claimsByToken =
        new LinkedHashMap<>(16, LOAD_FACTOR, /* accessOrder= */ true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Claims> eldest) {
            return size() > capacity;
          }
        };
  }

  /** The token's claims, or null when it is not known or has expired. */
  synchronized Claims get(String token, Instant now) {
    Claims claims = claimsByToken.get(token);
    if (claims != null && now.isAfter(claims.expiresAt())) {
      claimsByToken.remove(token);
      return null;
    }
    return claims;
  }

  synchronized void put(String token, Claims claims) {
    claimsByToken.put(token, claims);
  }
}
