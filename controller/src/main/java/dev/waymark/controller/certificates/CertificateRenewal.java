package dev.waymark.controller.certificates;

import static dev.waymark.status.tls.CertificateAuthority.CLOCK_SKEW;

import dev.waymark.status.tls.CertificateAuthority;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides when certificates are made anew, with the times of Kubeflow Trainer: an authority is good
 * for 10 years, a server's certificate for one, and either is replaced 90 days before its end.
 *
 * <p>A new authority comes in three steps, so that at no time a client is shown what it can't
 * check: it joins the trusted ones; when they have had time to reach everybody, it signs the
 * server's certificate; when that is what everybody is shown, the old one leaves. Where there is
 * nothing that clients could trust, all happens at once.
 *
 * <p>Asks neither clock nor cluster.
 */
final class CertificateRenewal {

  static final Duration AUTHORITY_VALIDITY = Duration.ofDays(3650);
  static final Duration SERVER_VALIDITY = Duration.ofDays(365);
  static final Duration RENEWED_BEFORE_END = Duration.ofDays(90);

  /**
   * In which a change reaches everybody. A kubelet takes some two minutes to bring a changed
   * ConfigMap into a pod.
   */
  static final Duration PROPAGATION = Duration.ofHours(1);

  private static final String AUTHORITY_NAME = "CN=kubeflow-trainer-ca,O=kubeflow-trainer";

  private final List<String> hosts;
  private final Instant now;
  private final List<String> changes = new ArrayList<>();

  private CertificateRenewal(List<String> hosts, Instant now) {
    this.hosts = hosts;
    this.now = now;
  }

  /**
   * What is to be done.
   *
   * @param certificates as they should be; always with a signer and a server
   * @param changes what was done to them, for the log; empty when they are good as they are
   * @param lookAgain when there may be something to do next
   */
  record Decision(StoredCertificates certificates, List<String> changes, Instant lookAgain) {
    Decision {
      changes = List.copyOf(changes);
    }
  }

  /**
   * Decides.
   *
   * @param hosts names under which clients know the server; the certificate must be for the first
   */
  static Decision decide(StoredCertificates stored, List<String> hosts, Instant now) {
    CertificateRenewal renewal = new CertificateRenewal(hosts, now);
    StoredCertificates signed = renewal.withServer(renewal.withSigner(stored));
    StoredCertificates next = renewal.withoutRetired(signed);
    return new Decision(next, renewal.changes, renewal.lookAgain(next));
  }

  private StoredCertificates withSigner(StoredCertificates stored) {
    Optional<String> wrong = wrongWithSigner(stored);
    if (wrong.isEmpty()) {
      return stored;
    }
    changes.add("a new certificate authority, since " + wrong.get());
    return stored.with(
        CertificateAuthority.create(AUTHORITY_NAME, AUTHORITY_VALIDITY, now), stored.authorities());
  }

  private Optional<String> wrongWithSigner(StoredCertificates stored) {
    if (stored.authorities().isEmpty()) {
      return Optional.of("there is none");
    } else if (stored.signer() == null) {
      return Optional.of("the old one has lost its key");
    }
    Instant end = end(stored.signer().certificate());
    return isDue(end) ? Optional.of("the old one ends at " + end) : Optional.empty();
  }

  private StoredCertificates withServer(StoredCertificates stored) {
    Optional<String> wrong = wrongWithServer(stored);
    if (wrong.isEmpty()) {
      return stored;
    }
    changes.add("a new server certificate, since " + wrong.get());
    return stored.with(stored.signer().issue(hosts, SERVER_VALIDITY, now));
  }

  private Optional<String> wrongWithServer(StoredCertificates stored) {
    if (stored.server() == null) {
      return Optional.of("there is none");
    }
    X509Certificate leaf = stored.server().leaf();
    Optional<X509Certificate> authority = stored.authorityOfServer();
    if (!isFor(leaf, hosts.get(0))) {
      return Optional.of("the old one is not for " + hosts.get(0));
    } else if (authority.isEmpty()) {
      return Optional.of("no trusted authority has signed the old one");
    } else if (!now.isBefore(end(leaf)) || !now.isBefore(end(authority.get()))) {
      return Optional.of("the old one has ended");
    } else if (isSignedBySigner(stored)) {
      return isDue(end(leaf)) ? Optional.of("the old one ends at " + end(leaf)) : Optional.empty();
    }
    return now.isBefore(switchAt(stored))
        ? Optional.empty()
        : Optional.of("clients know the new authority by now");
  }

  private StoredCertificates withoutRetired(StoredCertificates stored) {
    boolean allRetire = isSignedBySigner(stored) && !now.isBefore(retireAt(stored));
    List<X509Certificate> kept =
        stored.otherAuthorities().stream()
            .filter(other -> !allRetire && now.isBefore(end(other)))
            .toList();
    if (kept.size() == stored.otherAuthorities().size()) {
      return stored;
    }
    changes.add("an old certificate authority is trusted no longer");
    return stored.with(stored.signer(), kept);
  }

  private Instant lookAgain(StoredCertificates next) {
    Stream<Instant> ends =
        Stream.of(next.signer().certificate(), next.server().leaf())
            .map(certificate -> end(certificate).minus(RENEWED_BEFORE_END));
    Stream<Instant> steps =
        next.otherAuthorities().isEmpty()
            ? Stream.empty()
            : Stream.concat(
                Stream.of(switchAt(next), retireAt(next)),
                next.authorities().stream().map(CertificateRenewal::end));
    return Stream.concat(ends, steps)
        .filter(now::isBefore)
        .min(Instant::compareTo)
        .orElse(now.plus(PROPAGATION));
  }

  private static boolean isSignedBySigner(StoredCertificates stored) {
    return stored.authorityOfServer().filter(stored.signer().certificate()::equals).isPresent();
  }

  private static Instant switchAt(StoredCertificates stored) {
    return madeAt(stored.signer().certificate()).plus(PROPAGATION);
  }

  private static Instant retireAt(StoredCertificates stored) {
    return madeAt(stored.server().leaf()).plus(PROPAGATION);
  }

  private boolean isDue(Instant end) {
    return !now.isBefore(end.minus(RENEWED_BEFORE_END));
  }

  private static Instant madeAt(X509Certificate certificate) {
    return certificate.getNotBefore().toInstant().plus(CLOCK_SKEW);
  }

  private static Instant end(X509Certificate certificate) {
    return certificate.getNotAfter().toInstant();
  }

  private static boolean isFor(X509Certificate leaf, String host) {
    try {
      Collection<List<?>> names = leaf.getSubjectAlternativeNames();
      return names != null && names.stream().anyMatch(name -> host.equals(name.get(1)));
    } catch (CertificateParsingException e) {
      return false;
    }
  }
}
