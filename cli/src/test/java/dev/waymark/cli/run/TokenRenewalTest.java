package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.status.TrainJobKey;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenRenewalTest {

  private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

  @ParameterizedTest
  @CsvSource({"0, false", "479, false", "480, true", "86400, true", "-1, true"})
  void isDueAtEightTenthsOfTenMinutes(long seconds, boolean due) {
    assertThat(TokenRenewal.isDue(START, START.plusSeconds(seconds), Duration.ofMinutes(10)))
        .isEqualTo(due);
  }

  @Test
  void renewsOnceAfterTheMachineHasSlept() throws IOException {
    SetClock clock = new SetClock();
    TokenIssuer tokens =
        new TokenIssuer(new TrainJobKey("default", "iris"), Duration.ofMinutes(10), clock);
    try (CredentialFolder files = CredentialFolder.create("the CA", "the first token")) {
      TokenRenewal renewal =
          new TokenRenewal(tokens, files, clock, warning -> assertThat(warning).isNull());
      renewal.renewIfDue();
      assertThat(files.token()).hasContent("the first token");

      clock.now.set(START.plus(Duration.ofHours(8)));
      renewal.renewIfDue();
      String renewed = Files.readString(files.token());
      assertThat(renewed).isNotEqualTo("the first token");

      renewal.renewIfDue();
      assertThat(files.token()).hasContent(renewed);
    }
  }

  private static final class SetClock extends Clock {
    private final AtomicReference<Instant> now = new AtomicReference<>(START);

    @Override
    public Instant instant() {
      return now.get();
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException("There is one zone here");
    }
  }
}
