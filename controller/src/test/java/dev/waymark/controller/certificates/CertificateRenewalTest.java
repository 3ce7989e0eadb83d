package dev.waymark.controller.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.controller.certificates.CertificateRenewal.Decision;
import dev.waymark.status.tls.CertificateAuthority;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CertificateRenewalTest {

  private static final Instant START = Instant.parse("2026-11-29T12:00:00Z");
  private static final List<String> HOSTS = List.of("manager.kubeflow-system.svc");
  private static final Duration HOUR = Duration.ofHours(1);

  private final Decision first = decide(StoredCertificates.NONE, START);

  @Test
  void startsWithAnAuthorityAndACertificateOfIt() {
    StoredCertificates made = first.certificates();

    assertThat(first.changes())
        .containsExactly(
            "a new certificate authority, since there is none",
            "a new server certificate, since there is none");
    assertThat(made.authorities()).containsExactly(made.signer().certificate());
    assertThat(made.authorityOfServer()).contains(made.signer().certificate());
    assertThat(end(made.signer().certificate())).isEqualTo(START.plus(Duration.ofDays(3650)));
    assertThat(end(made.server().leaf())).isEqualTo(START.plus(Duration.ofDays(365)));
    assertThat(made.signer().certificate().getSubjectX500Principal().getName())
        .isEqualTo("CN=kubeflow-trainer-ca,O=kubeflow-trainer");
  }

  @Test
  void leavesGoodOnesAloneUntilTheyNearTheirEnd() {
    Instant due = START.plus(Duration.ofDays(365 - 90));
    assertThat(first.lookAgain()).isEqualTo(due);

    Decision before = decide(first.certificates(), due.minusSeconds(1));
    assertThat(before.changes()).isEmpty();
    assertThat(before.certificates()).isEqualTo(first.certificates());
    assertThat(before.lookAgain()).isEqualTo(due);

    Decision then = decide(first.certificates(), due);
    assertThat(then.changes())
        .containsExactly(
            "a new server certificate, since the old one ends at 2027-11-29T12:00:00Z");
    assertThat(then.certificates().signer()).isSameAs(first.certificates().signer());
    assertThat(end(then.certificates().server().leaf())).isEqualTo(due.plus(Duration.ofDays(365)));
  }

  @Test
  void exchangesAnAuthorityInThreeStepsThatClientsCanFollow() {
    Instant due = START.plus(Duration.ofDays(3650 - 90));
    StoredCertificates old =
        decide(first.certificates(), due.minus(Duration.ofDays(1))).certificates();
    X509Certificate oldAuthority = old.signer().certificate();

    Decision joined = decide(old, due);
    X509Certificate newAuthority = joined.certificates().signer().certificate();
    assertThat(joined.certificates().authorities()).containsExactly(newAuthority, oldAuthority);
    assertThat(joined.certificates().server()).isEqualTo(old.server());
    assertThat(joined.lookAgain()).isEqualTo(due.plus(HOUR));
    assertThat(decide(joined.certificates(), due.plus(HOUR).minusSeconds(1)).changes()).isEmpty();

    Decision switched = decide(joined.certificates(), due.plus(HOUR));
    assertThat(switched.changes())
        .containsExactly("a new server certificate, since clients know the new authority by now");
    assertThat(switched.certificates().authorities()).containsExactly(newAuthority, oldAuthority);
    assertThat(switched.certificates().authorityOfServer()).contains(newAuthority);
    assertThat(switched.lookAgain()).isEqualTo(due.plus(HOUR).plus(HOUR));

    Decision retired = decide(switched.certificates(), due.plus(HOUR).plus(HOUR));
    assertThat(retired.changes())
        .containsExactly("an old certificate authority is trusted no longer");
    assertThat(retired.certificates().authorities()).containsExactly(newAuthority);
    assertThat(retired.certificates().server()).isEqualTo(switched.certificates().server());
  }

  /** At every moment, clients that know the trusted ones of an hour ago can check what is shown. */
  @Test
  void showsNothingThatSlowClientsCannotCheck() {
    StoredCertificates stored = first.certificates();
    StoredCertificates hourAgo = stored;
    Instant end = START.plus(Duration.ofDays(3 * 3650));
    Instant now = START;
    int exchanges = 0;
    while (now.isBefore(end)) {
      Decision decision = decide(stored, now);
      if (!decision.certificates().signer().equals(stored.signer())) {
        exchanges++;
      }
      stored = decision.certificates();
      assertThat(hourAgo.authorities()).contains(stored.authorityOfServer().orElseThrow());
      assertThat(now).isBefore(end(stored.server().leaf()));
      assertThat(decision.lookAgain()).isAfter(now);
      hourAgo = stored;
      now = decision.lookAgain();
    }
    assertThat(exchanges).isEqualTo(3);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void mendsWhatIsBroken(
      String what, UnaryOperator<StoredCertificates> damage, List<String> changes, int trusted) {
    Decision decision = decide(damage.apply(first.certificates()), START.plus(HOUR));

    assertThat(decision.changes()).containsExactlyElementsOf(changes);
    StoredCertificates mended = decision.certificates();
    assertThat(mended.authorities()).hasSize(trusted);
    assertThat(mended.authorityOfServer()).isPresent();
    assertThat(mended.signer().certificate()).isEqualTo(mended.authorities().get(0));
    assertThat(decide(mended, START.plus(HOUR)).changes()).isEmpty();
  }

  static Stream<Arguments> mendsWhatIsBroken() {
    CertificateAuthority stranger =
        CertificateAuthority.create("CN=stranger", Duration.ofDays(3650), START);
    return Stream.of(
        damage(
            "authority lost its key: old certificate stays until clients know the new authority",
            c -> new StoredCertificates(c.authorities(), null, c.server()),
            List.of("a new certificate authority, since the old one has lost its key"),
            2),
        damage(
            "no server certificate",
            c -> new StoredCertificates(c.authorities(), c.signer(), null),
            List.of("a new server certificate, since there is none"),
            1),
        damage(
            "no authority: nobody can check the certificate",
            c -> new StoredCertificates(List.of(), null, c.server()),
            List.of(
                "a new certificate authority, since there is none",
                "a new server certificate, since no trusted authority has signed the old one"),
            1),
        damage(
            "certificate of a stranger",
            c -> c.with(stranger.issue(HOSTS, Duration.ofDays(365), START)),
            List.of("a new server certificate, since no trusted authority has signed the old one"),
            1),
        damage(
            "certificate for another name",
            c -> c.with(c.signer().issue(List.of("other.svc"), Duration.ofDays(365), START)),
            List.of("a new server certificate, since the old one is not for " + HOSTS.get(0)),
            1),
        damage(
            "certificate that has ended",
            c -> c.with(c.signer().issue(HOSTS, HOUR, START)),
            List.of("a new server certificate, since the old one has ended"),
            1),
        damage(
            "authority that ends soon, with its certificate",
            c -> shortLived(Duration.ofDays(30)),
            List.of("a new certificate authority, since the old one ends at 2026-12-29T12:00:00Z"),
            2),
        damage(
            "authority that has ended, with its certificate",
            c -> shortLived(HOUR),
            List.of(
                "a new certificate authority, since the old one ends at 2026-11-29T13:00:00Z",
                "a new server certificate, since the old one has ended",
                "an old certificate authority is trusted no longer"),
            1));
  }

  private static Arguments damage(
      String what, UnaryOperator<StoredCertificates> damage, List<String> changes, int trusted) {
    return Arguments.arguments(what, damage, changes, trusted);
  }

  private static StoredCertificates shortLived(Duration validity) {
    CertificateAuthority authority = CertificateAuthority.create("CN=short", validity, START);
    return new StoredCertificates(
        List.of(authority.certificate()),
        authority,
        authority.issue(HOSTS, Duration.ofDays(365), START));
  }

  @Test
  void anAuthorityThatSomebodyAddedLeavesWithTheOld() {
    CertificateAuthority added =
        CertificateAuthority.create("CN=added", Duration.ofDays(3650), START);
    StoredCertificates made = first.certificates();
    StoredCertificates stored = made.with(made.signer(), List.of(added.certificate()));

    assertThat(decide(stored, START.plusSeconds(1)).certificates().authorities()).hasSize(2);
    assertThat(decide(stored, START.plus(HOUR)).certificates().authorities()).hasSize(1);
  }

  private static Decision decide(StoredCertificates stored, Instant now) {
    return CertificateRenewal.decide(stored, HOSTS, now);
  }

  private static Instant end(X509Certificate certificate) {
    return certificate.getNotAfter().toInstant();
  }
}
