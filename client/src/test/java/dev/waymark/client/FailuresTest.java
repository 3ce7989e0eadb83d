package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailuresTest {

  private final Failures failures = new Failures("https://cluster.example", null);

  @ParameterizedTest(name = "{0}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # what the API server says                                                          | kind         | message
          {code: 401, message: Unauthorized}                                                  | NotLoggedIn  | The cluster at https://cluster.example doesn't take these credentials: they are wrong or have expired. Log in again
          {code: 403, message: 'trainjobs is forbidden: User "u" cannot list'}                 | Denied       | No right to list TrainJobs: trainjobs is forbidden: User "u" cannot list
          {code: 403, message: 'x is forbidden: User "system:anonymous" cannot list'}          | NotLoggedIn  | The cluster at https://cluster.example isn't shown any credentials: the kubeconfig's user is missing in it or has none, or the command that is to give them doesn't. Log in again
          {code: 403, message: 'admission webhook "v.example" denied the request: no such runtime'} | Invalid | no such runtime
          {code: 404, message: the server could not find the requested resource}              | Unsupported  | The cluster at https://cluster.example has no trainer.kubeflow.org/v1alpha1: install Kubeflow Trainer or Waymark's controller in it
          {code: 404, message: 'pods "p" not found', details: {name: p, kind: pods}}          | NotFound     | Could not list TrainJobs: pods "p" not found
          {code: 409, message: 'trainjobs "demo" already exists', details: {name: demo}}      | Conflict     | Could not list TrainJobs: trainjobs "demo" already exists
          {code: 422, message: TrainJob is invalid, details: {causes: [{field: spec.x, message: too long}]}} | Invalid | TrainJob is invalid
          {code: 429, message: too many}                                                      | Unavailable  | Could not list TrainJobs: too many
          {code: 500, message: 'failed calling webhook "x": connection refused'}              | Unavailable  | Could not list TrainJobs: failed calling webhook "x": connection refused (the controller is away or its certificate is wrong: waymark doctor tells)
          {code: 418, message: teapot}                                                        | Unsupported  | Could not list TrainJobs: the cluster answers 418: teapot
          """)
  void saysWhatTheClusterRefuses(String status, String kind, String message) {
    Status said = Samples.yaml(status, Status.class);
    TrainerException failure =
        failures.of(
            new KubernetesClientException("of the library", said.getCode(), said),
            "list TrainJobs");

    assertThat(failure.getClass().getSimpleName()).isEqualTo(kind);
    assertThat(failure).hasMessage(message);
  }

  @Test
  void keepsTheFieldsThatTheClusterNames() {
    Status said =
        Samples.yaml(
            "{code: 422, message: m, details: {causes: [{field: spec.x, message: too long}, {}]}}",
            Status.class);

    assertThat(failures.of(new KubernetesClientException("x", 422, said), "do it"))
        .isInstanceOfSatisfying(
            TrainerException.Invalid.class,
            invalid ->
                assertThat(invalid.problems()).hasToString("[spec.x: too long, : is wrong]"));
  }

  @Test
  void saysWhyNobodyAnswers() {
    assertThat(unanswered(new UnknownHostException("cluster.example")))
        .isEqualTo("No answer from https://cluster.example: there is no host cluster.example");
    assertThat(unanswered(new ConnectException("Connection refused")))
        .isEqualTo("No answer from https://cluster.example: nobody listens there");
    assertThat(unanswered(new TimeoutException()))
        .isEqualTo(
            "No answer from https://cluster.example: nothing came in time; is that the address of an"
                + " API server, and the way there open?");
    assertThat(unanswered(new SSLHandshakeException("handshake timed out after 10000ms")))
        .contains("nothing came in time");
    assertThat(unanswered(new ConnectException("connection timed out after 10000 ms: /10.0.0.1:6")))
        .contains("nothing came in time");
    assertThat(unanswered(new SSLHandshakeException("PKIX path building failed")))
        .contains("its certificate isn't trusted: PKIX path building failed");
    assertThat(unanswered(new CertificateException("expired")))
        .contains("its certificate isn't trusted: expired");
    assertThat(unanswered(new IOException(new ConnectException("x"))))
        .contains("nobody listens there");
    assertThat(unanswered(new IOException("broken"))).contains("of the library");
  }

  @Test
  void knowsWhatMayPass() {
    assertThat(failures.of(new KubernetesClientException("x", new ConnectException()), "a"))
        .matches(TrainerException::isTransient);
    assertThat(failures.of(new KubernetesClientException("x", 503, null), "a"))
        .matches(TrainerException::isTransient);
    assertThat(failures.of(new KubernetesClientException("x", 401, null), "a"))
        .matches(it -> !it.isTransient());
  }

  private String unanswered(Exception cause) {
    return failures
        .of(new KubernetesClientException("of the library", cause), "do it")
        .getMessage();
  }
}
