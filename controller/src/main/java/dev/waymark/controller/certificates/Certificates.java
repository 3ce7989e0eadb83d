package dev.waymark.controller.certificates;

import dev.waymark.controller.Component;
import dev.waymark.controller.ControllerConfiguration;
import dev.waymark.status.tls.ServerCertificate;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate of the controller's servers, and the authorities that vouch for it. It is
 * renewed, and exchanged while the servers run. Every replica has one, whoever leads.
 */
public final class Certificates implements Component {

  private static final Logger log = LoggerFactory.getLogger(Certificates.class);

  private static final Duration START_LIMIT = Duration.ofSeconds(10);

  private final PublishedCertificates published;
  private final CertificateSource source;
  private final Clock clock;

  private Certificates(PublishedCertificates published, CertificateSource source, Clock clock) {
    this.published = published;
    this.source = source;
    this.clock = clock;
  }

  /**
   * Makes certificates that aren't there yet.
   *
   * @param namespace the operator's
   * @param folder of tls.crt, tls.key and ca.crt, for certificates that somebody else keeps
   */
  public static Certificates create(
      KubernetesClient client,
      ControllerConfiguration configuration,
      String namespace,
      Path folder) {
    ControllerConfiguration.Certificates settings = configuration.certificates();
    return settings.managed()
        ? managed(
            client,
            namespace,
            settings.secretName(),
            List.of(settings.serviceName() + "." + namespace + ".svc"),
            Clock.systemUTC())
        : inFolder(folder, configuration.featureGates().trainJobStatus(), Clock.systemUTC());
  }

  /** Those that the controller makes, for servers known under other names. */
  public static Certificates managed(
      KubernetesClient client,
      String namespace,
      String secretName,
      List<String> hosts,
      Clock clock) {
    PublishedCertificates published = new PublishedCertificates();
    return new Certificates(
        published,
        new ManagedCertificates(client, namespace, secretName, hosts, published, executor(), clock),
        clock);
  }

  private static Certificates inFolder(Path folder, boolean authoritiesNeeded, Clock clock) {
    PublishedCertificates published = new PublishedCertificates();
    return new Certificates(
        published, new CertificateFolder(folder, authoritiesNeeded, published, executor()), clock);
  }

  private static ScheduledExecutorService executor() {
    return Executors.newSingleThreadScheduledExecutor(
        work -> {
          Thread thread = new Thread(work, "certificates");
          thread.setDaemon(true);
          return thread;
        });
  }

  /** What the controller's servers are to show. Always the same object. */
  public ServerCertificate server() {
    return published.server();
  }

  /**
   * PEM of the authorities that clients of the controller's servers should trust, during an
   * exchange of old and new ones: the content of {@code <trainjob>-tls-config}. Empty when none is
   * known yet.
   */
  public Optional<String> authorities() {
    return published.authorities();
  }

  /**
   * Calls whenever {@link #authorities()} has changed, so that copies of them can be refreshed. The
   * listener must not wait.
   */
  public void onAuthoritiesChanged(Runnable listener) {
    published.onAuthoritiesChanged(listener);
  }

  @Override
  public String name() {
    return "certificates";
  }

  /**
   * Comes back when there is a certificate, since nothing can be served without, and no TrainJob be
   * made whose pods could trust it; after ten seconds all the same, and {@link #notReady()} tells
   * the rest.
   */
  @Override
  public void start() throws InterruptedException {
    start(START_LIMIT);
  }

  void start(Duration limit) throws InterruptedException {
    source.start();
    if (!published.await(limit)) {
      log.warn("Starting without a certificate: {}", notReady().orElse("it has only just come"));
    }
  }

  @Override
  public Optional<String> notReady() {
    return published.problem(clock.instant()).or(source::problem);
  }

  @Override
  public void close() {
    source.close();
  }
}
