package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.client.Finding.Verdict;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookTrustTest {

  /** Good from 2026-01-01 to 2026-12-31. */
  private static final String FIRST =
      """
      -----BEGIN CERTIFICATE-----
      MIIBJDCBy6ADAgECAgEBMAoGCCqGSM49BAMCMBAxDjAMBgNVBAMMBWZpcnN0MB4X
      DTI2MDEwMTAwMDAwMFoXDTI2MTIzMTAwMDAwMFowEDEOMAwGA1UEAwwFZmlyc3Qw
      WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ/eFnZdlXJbFW4rRs+gC+S9KF/TcVL
      snPuBV2RT9BxM5KdxuJn7VsJxXkivbU11u+Qo0pXpLNh50RFgbWj5/vzoxYwFDAS
      BgNVHRMBAf8ECDAGAQH/AgEAMAoGCCqGSM49BAMCA0gAMEUCIQDLLZ8Gab6B0Jcv
      dqWTNwK65pF4rLKpOgbXjCogjeffrAIgFefR7/LxVhPxPn6D6uUr4ZpYHTdfVSmI
      376ScxeQQsg=
      -----END CERTIFICATE-----
      """;

  /** Good from 2026-12-01 to 2027-12-01. */
  private static final String SECOND =
      """
      -----BEGIN CERTIFICATE-----
      MIIBJjCBzaADAgECAgEBMAoGCCqGSM49BAMCMBExDzANBgNVBAMMBnNlY29uZDAe
      Fw0yNjEyMDEwMDAwMDBaFw0yNzEyMDEwMDAwMDBaMBExDzANBgNVBAMMBnNlY29u
      ZDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABIlP2dWxVSFA4oAwRWqB4vVxBWXk
      RMRwlkdBVQrm4ABP4cdJNCv/IAKBAMNGD1ttJ5BPtZotUPwq3vBgQTeh6TqjFjAU
      MBIGA1UdEwEB/wQIMAYBAf8CAQAwCgYIKoZIzj0EAwIDSAAwRQIhALEu+isnA16f
      Ol89GACsbFSqjXTUHf/ZLJpskiC+J6L3AiAcC08FW9F/yr0hQMauK1Szi+3sZOLr
      HcHKGJY8jRFP3A==
      -----END CERTIFICATE-----
      """;

  private static final Finding GOOD =
      new Finding("webhooks", Verdict.OK, "their certificates are good");

  @ParameterizedTest(name = "{0} on {1}: {2} {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # authorities  | on         | verdict | what is said
          first          | 2026-06-01 | OK      | their certificates are good
          first          | 2026-12-20 | OK      | their certificates are good
          first          | 2026-12-26 | WARNING | the certificates of w end at 2026-12-31T00:00:00Z
          first          | 2027-01-01 | FAILURE | the certificates of w ended at 2026-12-31T00:00:00Z
          first          | 2025-12-31 | FAILURE | the certificates of w aren't good yet: whose clock is wrong?
          # While one takes the other's place
          first second   | 2026-12-26 | OK      | their certificates are good
          first second   | 2027-06-01 | OK      | their certificates are good
          first second   | 2027-11-28 | WARNING | the certificates of w end at 2027-12-01T00:00:00Z
          first second   | 2028-01-01 | FAILURE | the certificates of w ended at 2027-12-01T00:00:00Z
          ''             | 2026-06-01 | FAILURE | w has no caBundle: the controller hasn't put one in
          nonsense       | 2026-06-01 | FAILURE | the caBundle of w is no certificate
          """)
  void certificatesTell(String authorities, String on, Verdict verdict, String message) {
    Finding found =
        WebhookTrust.of(
            List.of(webhook("w", bundle(authorities))), Instant.parse(on + "T00:00:00Z"));

    assertThat(found.verdict()).isEqualTo(verdict);
    assertThat(found.message()).startsWith(message);
  }

  @Test
  void whatIsNoBase64IsNoCertificate() {
    assertThat(WebhookTrust.of(List.of(webhook("w", "%%")), Instant.EPOCH).message())
        .startsWith("the caBundle of w is no certificate: ");
  }

  @Test
  void theWorstOfSeveralIsTold() {
    Instant now = Instant.parse("2026-12-26T00:00:00Z");

    assertThat(
            WebhookTrust.of(
                List.of(
                    webhook("ending", bundle("first")),
                    webhook("without", ""),
                    webhook("good", bundle("second"))),
                now))
        .isEqualTo(
            new Finding(
                "webhooks",
                Verdict.FAILURE,
                "without has no caBundle: the controller hasn't put one in"));
    assertThat(WebhookTrust.of(List.of(), now).verdict()).isEqualTo(Verdict.WARNING);
  }

  /** What Kubernetes 1.36 says when it can't ask a webhook. */
  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          tls: failed to verify certificate: x509: certificate signed by unknown authority | the caBundle is not of the authority that signed the controller's certificate
          tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-30T10:00:00Z is after 2026-11-29T10:00:00Z | the controller's certificate has expired
          tls: failed to verify certificate: x509: certificate is valid for a.svc, not b.svc | the controller's certificate is for another name
          no endpoints available for service "trainer" | no controller is ready
          dial tcp 127.0.0.1:9443: connect: connection refused | nobody listens behind its Service
          context deadline exceeded | the controller doesn't answer in time
          EOF | Could not try a TrainJob
          """)
  void aWebhookThatCannotBeAskedIsAFailure(String words, String meaning) {
    String said = "Could not try a TrainJob: failed calling webhook \"w\": " + words;
    Finding found = WebhookTrust.after(new TrainerException.Unavailable(said, null), GOOD);

    assertThat(found.verdict()).isEqualTo(Verdict.FAILURE);
    assertThat(found.message()).startsWith(meaning).contains(said);
  }

  @Test
  void whoRefusesIsThere() {
    assertThat(WebhookTrust.after(new TrainerException.Invalid("no", List.of(), null), GOOD))
        .isEqualTo(GOOD);
    assertThat(WebhookTrust.after(new TrainerException.Denied("no", null), GOOD))
        .isEqualTo(
            new Finding(
                "webhooks", Verdict.OK, "their certificates are good; no right to try a TrainJob"));
    assertThat(WebhookTrust.after(null, GOOD).verdict()).isEqualTo(Verdict.WARNING);
  }

  private static ValidatingWebhook webhook(String name, String bundle) {
    return new ValidatingWebhookBuilder()
        .withName(name)
        .withNewClientConfig()
        .withCaBundle(bundle)
        .endClientConfig()
        .build();
  }

  /** As the field has it: PEM in Base64. */
  private static String bundle(String authorities) {
    String pem = authorities.replace(" ", "").replace("first", FIRST).replace("second", SECOND);
    return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
  }
}
