package dev.waymark.client;

import dev.waymark.client.Finding.Verdict;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import java.io.ByteArrayInputStream;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Whether an API server can trust the controller that checks TrainJobs: by the certificates that
 * its webhooks were given, and by what came of a TrainJob that was tried.
 */
final class WebhookTrust {

  static final String PART = "webhooks";

  /** Time to do something about it. */
  private static final Duration SOON = Duration.ofDays(7);

  /** What an API server's words mean when it can't ask a webhook; the first that fits counts. */
  private static final List<Cause> CAUSES =
      List.of(
          new Cause(
              "signed by unknown authority",
              "the caBundle is not of the authority that signed the controller's certificate"),
          new Cause("has expired or is not yet valid", "the controller's certificate has expired"),
          new Cause("certificate is valid for", "the controller's certificate is for another name"),
          new Cause("no endpoints available", "no controller is ready"),
          new Cause("connection refused", "nobody listens behind its Service"),
          new Cause("context deadline exceeded", "the controller doesn't answer in time"));

  private record Cause(String words, String meaning) {}

  /** By their certificates. */
  static Finding of(List<ValidatingWebhook> webhooks, Instant now) {
    if (webhooks.isEmpty()) {
      return new Finding(
          PART, Verdict.WARNING, "none: what is wrong with a TrainJob shows when it runs");
    }
    return webhooks.stream()
        .map(webhook -> trouble(webhook, now))
        .flatMap(Optional::stream)
        .max(Comparator.comparing(Finding::verdict))
        .orElse(new Finding(PART, Verdict.OK, "their certificates are good"));
  }

  private static Optional<Finding> trouble(ValidatingWebhook webhook, Instant now) {
    String name = webhook.getName();
    String bundle = webhook.getClientConfig().getCaBundle();
    if (bundle == null || bundle.isEmpty()) {
      return failure(name + " has no caBundle: the controller hasn't put one in");
    }
    List<X509Certificate> authorities;
    try {
      authorities = certificates(bundle);
    } catch (CertificateException | IllegalArgumentException e) {
      return failure("the caBundle of " + name + " is no certificate: " + e.getMessage());
    }
    Instant end = last(authorities);
    if (end.isBefore(now)) {
      return failure("the certificates of " + name + " ended at " + end);
    }
    Optional<Instant> goodUntil =
        authorities.stream()
            .filter(it -> !it.getNotBefore().toInstant().isAfter(now))
            .map(it -> it.getNotAfter().toInstant())
            .filter(it -> !it.isBefore(now))
            .max(Instant::compareTo);
    if (goodUntil.isEmpty()) {
      return failure("the certificates of " + name + " aren't good yet: whose clock is wrong?");
    }
    return end.isBefore(now.plus(SOON))
        ? Optional.of(
            new Finding(PART, Verdict.WARNING, "the certificates of " + name + " end at " + end))
        : Optional.empty();
  }

  /** When the last of them ends, since one that is good suffices. */
  private static Instant last(List<X509Certificate> authorities) {
    return authorities.stream()
        .map(it -> it.getNotAfter().toInstant())
        .max(Instant::compareTo)
        .orElseThrow();
  }

  private static List<X509Certificate> certificates(String bundle) throws CertificateException {
    Collection<? extends Certificate> found =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(Base64.getDecoder().decode(bundle)));
    if (found.isEmpty()) {
      throw new CertificateException("it is empty");
    }
    return found.stream().map(X509Certificate.class::cast).toList();
  }

  private static Optional<Finding> failure(String message) {
    return Optional.of(new Finding(PART, Verdict.FAILURE, message));
  }

  /**
   * By what came of a TrainJob that a working webhook refuses.
   *
   * @param answer what creating it has thrown; null if it was let in
   * @param trust what is known from the certificates
   */
  static Finding after(TrainerException answer, Finding trust) {
    if (answer == null) {
      return new Finding(
          PART, Verdict.WARNING, "a TrainJob without a runtime is let in: nobody asks them");
    } else if (answer instanceof TrainerException.Invalid) {
      return trust;
    } else if (answer instanceof TrainerException.Denied) {
      return new Finding(PART, trust.verdict(), trust.message() + "; no right to try a TrainJob");
    }
    return new Finding(PART, Verdict.FAILURE, meaning(answer.getMessage()));
  }

  private static String meaning(String message) {
    return CAUSES.stream()
        .filter(cause -> message.contains(cause.words()))
        .findFirst()
        .map(cause -> cause.meaning() + " (" + message + ")")
        .orElse(message);
  }

  private WebhookTrust() {}
}
