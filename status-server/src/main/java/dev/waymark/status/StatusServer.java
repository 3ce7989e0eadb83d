package dev.waymark.status;

import dev.waymark.status.http.WebServer;
import io.vertx.core.Vertx;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * The HTTPS endpoint that takes TrainJobs' status: {@code POST
 * /apis/trainer.kubeflow.org/v1alpha1/namespaces/{namespace}/trainjobs/{name}/status}, with the
 * answers of Kubeflow Trainer 2.3.
 */
public final class StatusServer {

  private static final int DEFAULT_PORT = 10443;

  /**
   * Starts to describe a server; its port is 10443 unless another is set.
   *
   * @param vertx runs the server; stays open when the server closes
   * @param certificate what the server shows, usually a {@link
   *     dev.waymark.status.tls.ServerCertificate}
   * @param verifier decides who may report
   * @param sink takes what was reported
   */
  public static WebServer.Builder builder(
      Vertx vertx, X509ExtendedKeyManager certificate, TokenVerifier verifier, StatusSink sink) {
    return WebServer.builder(vertx, new StatusEndpoint(verifier, sink))
        .certificate(certificate)
        .maxBody(StatusEndpoint.MAX_BODY)
        .port(DEFAULT_PORT);
  }

  private StatusServer() {}
}
