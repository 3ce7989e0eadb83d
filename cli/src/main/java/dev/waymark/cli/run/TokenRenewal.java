package dev.waymark.cli.run;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Renews a token by the clock on the wall, which is what its expiry is measured with: timers stand
 * still while the machine sleeps, and a token that was fresh before is over when it wakes. Used by
 * one thread at a time.
 */
final class TokenRenewal {

  /** Kubelet renews a token when 80 % of its life are over. */
  private static final double RENEWAL = 0.8;

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);

  private final TokenIssuer tokens;
  private final CredentialFolder files;
  private final Clock clock;
  private final Consumer<String> warnings;
  private Instant issued;
  private boolean failed;

  /**
   * Of a token that was issued at this moment.
   *
   * @param warnings takes sentences for the user
   */
  TokenRenewal(TokenIssuer tokens, CredentialFolder files, Clock clock, Consumer<String> warnings) {
    this.tokens = tokens;
    this.files = files;
    this.clock = clock;
    this.warnings = warnings;
    this.issued = clock.instant();
  }

  /** Checks from now on, often enough for tokens of every life. */
  void schedule(ScheduledExecutorService executor) {
    Duration part = tokens.lifetime().dividedBy(10);
    Duration pause = part.compareTo(LONGEST_PAUSE) < 0 ? part : LONGEST_PAUSE;
    executor.scheduleWithFixedDelay(
        this::renewIfDue, pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Puts a new token into the folder if the present one is old, or not valid yet. */
  void renewIfDue() {
    Instant now = clock.instant();
    if (!isDue(issued, now, tokens.lifetime())) {
      return;
    }
    try {
      files.replaceToken(tokens.issue());
      issued = now;
      failed = false;
    } catch (IOException e) {
      if (!failed) {
        failed = true;
        warnings.accept("The token could not be renewed: " + e + "; reports may be refused");
      }
    }
  }

  /** A clock that was set back makes a token of the future, which is refused as well. */
  static boolean isDue(Instant issued, Instant now, Duration lifetime) {
    Duration age = Duration.between(issued, now);
    return age.isNegative() || age.toMillis() >= lifetime.toMillis() * RENEWAL;
  }
}
