package dev.waymark.client;

import dev.waymark.trainer.api.FieldProblem;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** Says in this client's words what went wrong between it and a cluster. */
final class Failures {

  /** Whom an API server calls somebody who shows no credentials. */
  private static final String NOBODY = "User \"system:anonymous\"";

  /** How an API server's messages about webhooks begin. */
  private static final String WEBHOOK_REFUSED = "admission webhook ";

  private final String server;
  private final Path kubeconfig;

  /**
   * For one cluster.
   *
   * @param server its address, for messages
   * @param kubeconfig the file that led to it, or null
   */
  Failures(String server, Path kubeconfig) {
    this.server = server;
    this.kubeconfig = kubeconfig;
  }

  /**
   * Translates a failure.
   *
   * @param doing what was tried, as in "could not {@code list the TrainJobs of team-a}"
   */
  TrainerException of(KubernetesClientException failure, String doing) {
    Status status = failure.getStatus();
    String said = message(failure);
    if (failure.getCode() <= 0) {
      return unanswered(failure, doing); // fabric8 has -1, or 0, where there is no answer
    }
    return switch (failure.getCode()) {
      case 401 ->
          new TrainerException.NotLoggedIn(
              "The cluster at "
                  + server
                  + " doesn't take these credentials: they are wrong or have expired"
                  + (kubeconfigIsGone() ? ", and " + kubeconfig + " is gone" : ". Log in again"),
              failure);
      case 403 -> refused(said, doing, failure);
      case 404 -> absent(status, said, doing, failure);
      case 409 -> new TrainerException.Conflict("Could not " + doing + ": " + said, failure);
      case 400, 422 -> new TrainerException.Invalid(said, problems(status), failure);
      case 429 -> unavailable(doing, said, failure);
      default ->
          failure.getCode() >= 500
              ? unavailable(doing, said, failure)
              : new TrainerException.Unsupported(
                  "Could not " + doing + ": the cluster answers " + failure.getCode() + ": " + said,
                  failure);
    };
  }

  private TrainerException refused(String said, String doing, KubernetesClientException failure) {
    if (said.startsWith(WEBHOOK_REFUSED)) {
      return new TrainerException.Invalid(withoutWebhook(said), List.of(), failure);
    } else if (said.contains(NOBODY)) {
      return new TrainerException.NotLoggedIn(
          "The cluster at "
              + server
              + " isn't shown any credentials: the kubeconfig's user is missing in it or has none,"
              + " or the command that is to give them doesn't. Log in again",
          failure);
    }
    return new TrainerException.Denied("No right to " + doing + ": " + said, failure);
  }

  /** fabric8 reads it again for newer credentials, where a cluster doesn't take those it has. */
  private boolean kubeconfigIsGone() {
    return kubeconfig != null && Files.notExists(kubeconfig);
  }

  /** What to say where a cluster doesn't know the Trainer API. */
  TrainerException typesMissing(Throwable cause) {
    return new TrainerException.Unsupported(
        "The cluster at "
            + server
            + " has no "
            + TrainerApi.API_VERSION
            + ": install Kubeflow Trainer or Waymark's controller in it",
        cause);
  }

  private TrainerException absent(
      Status status, String said, String doing, KubernetesClientException failure) {
    // A type that isn't there is told apart from an object that isn't by its name alone.
    boolean isObject =
        status != null && status.getDetails() != null && status.getDetails().getName() != null;
    boolean ofTrainer =
        Objects.equals(failure.getGroup(), TrainerApi.GROUP)
            || said.contains(TrainerApi.GROUP)
            || said.contains("could not find the requested resource");
    return !isObject && ofTrainer
        ? typesMissing(failure)
        : new TrainerException.NotFound("Could not " + doing + ": " + said, failure);
  }

  private static TrainerException unavailable(String doing, String said, Throwable failure) {
    String hint =
        said.contains("failed calling webhook")
            ? " (the controller is away or its certificate is wrong: waymark doctor tells)"
            : "";
    return new TrainerException.Unavailable("Could not " + doing + ": " + said + hint, failure);
  }

  private TrainerException unanswered(KubernetesClientException failure, String doing) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String why = unanswered(cause);
      if (why != null) {
        return new TrainerException.Unreachable("No answer from " + server + ": " + why, failure);
      }
      if (cause instanceof InterruptedException) {
        Thread.currentThread().interrupt();
        return new TrainerException.TimedOut("Interrupted: could not " + doing, failure);
      }
    }
    return new TrainerException.Unreachable(
        "No answer from " + server + ": " + message(failure), failure);
  }

  /** Null for a cause that says nothing by itself. */
  private static String unanswered(Throwable cause) {
    if (cause instanceof UnknownHostException) {
      return "there is no host " + cause.getMessage();
    } else if (cause instanceof TimeoutException || hasTimedOut(cause)) {
      return "nothing came in time; is that the address of an API server, and the way there open?";
    } else if (cause instanceof CertificateException || cause instanceof SSLException) {
      return "its certificate isn't trusted: " + cause.getMessage();
    } else if (cause instanceof ConnectException || cause instanceof NoRouteToHostException) {
      return "nobody listens there";
    }
    return null;
  }

  /**
   * Netty's exceptions for a connection, and a handshake, that took too long are also those for one
   * that was refused, and a certificate that isn't trusted (4.1.130).
   */
  private static boolean hasTimedOut(Throwable cause) {
    return cause instanceof IOException && String.valueOf(cause.getMessage()).contains("timed out");
  }

  private static String message(KubernetesClientException failure) {
    Status status = failure.getStatus();
    String said = status == null ? null : status.getMessage();
    if (said == null || said.isBlank()) {
      said = failure.getMessage();
    }
    return said == null || said.isBlank() ? "HTTP " + failure.getCode() : said.strip();
  }

  /** {@code admission webhook "x" denied the request: why}. */
  private static String withoutWebhook(String said) {
    String mark = "denied the request: ";
    int at = said.indexOf(mark);
    return at < 0 ? said : said.substring(at + mark.length());
  }

  private static List<FieldProblem> problems(Status status) {
    if (status == null || status.getDetails() == null || status.getDetails().getCauses() == null) {
      return List.of();
    }
    return status.getDetails().getCauses().stream().map(Failures::problem).toList();
  }

  private static FieldProblem problem(StatusCause cause) {
    return new FieldProblem(
        Objects.requireNonNullElse(cause.getField(), ""),
        Objects.requireNonNullElse(cause.getMessage(), "is wrong"));
  }
}
