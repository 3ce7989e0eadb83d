package dev.waymark.controller.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.status.tls.CertificateAuthority;
import dev.waymark.status.tls.ServerIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublishedCertificatesTest {

  private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

  private final CertificateAuthority authority =
      CertificateAuthority.create("CN=demo", Duration.ofDays(10), NOW);
  private final PublishedCertificates published = new PublishedCertificates();

  @Test
  void tellsListenersOfNewAuthoritiesOnly() {
    List<String> told = new ArrayList<>();
    published.onAuthoritiesChanged(() -> told.add(published.authorities().orElseThrow()));

    published.publish(issue(), "one");
    published.publish(issue(), "one");
    published.publish(issue(), null);
    published.publish(issue(), "two");

    assertThat(told).containsExactly("one", "two");
    assertThat(published.authorities()).contains("two");
  }

  @Test
  void canBeWaitedFor() throws Exception {
    assertThat(published.await(Duration.ZERO)).isFalse();

    published.publish(issue(), null);
    assertThat(published.await(Duration.ZERO)).isTrue();
  }

  @Test
  void isNoProblemWhileThereIsACertificateThatIsGood() {
    assertThat(published.problem(NOW)).contains("there is no server certificate yet");

    published.publish(issue(), "one");
    assertThat(published.problem(NOW)).isEmpty();
    assertThat(published.problem(NOW.plus(Duration.ofDays(1))))
        .contains("the server certificate ended at 2026-11-30T12:00:00Z");
  }

  private ServerIdentity issue() {
    return authority.issue(List.of("demo.svc"), Duration.ofDays(1), NOW);
  }
}
