package dev.waymark.controller;

import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of a controller: those of Kubeflow Trainer v2.3 ({@code
 * config.trainer.kubeflow.org/v1alpha1}, kind Configuration) and a few of its own, which are marked
 * below. {@link ConfigurationReader} reads and checks them.
 *
 * @param leaderElection empty: this replica works without asking others
 * @param workers how many reconciles run at a time, by {@code Kind.group}, each at least 1
 * @param clientConnection limit of the reconcilers' writes
 * @param agentInjection own: what {@code waymark.dev/inject-agent} puts into pods; empty: it is
 *     refused
 * @param updatesTypes own: brings the CRDs of the Trainer API up to date when it starts
 */
public record ControllerConfiguration(
    Listen webhook,
    Optional<LeaderElection> leaderElection,
    Metrics metrics,
    Health health,
    Map<String, Integer> workers,
    Certificates certificates,
    Rate clientConnection,
    StatusServer statusServer,
    FeatureGates featureGates,
    Tls tls,
    Optional<AgentInjection> agentInjection,
    boolean updatesTypes) {

  /** How many TrainJobs are reconciled at a time when the configuration doesn't say. */
  static final int DEFAULT_WORKERS = 5;

  static final String TRAIN_JOB_WORKERS = "TrainJob.trainer.kubeflow.org";

  public ControllerConfiguration {
    workers = Map.copyOf(workers);
  }

  /** What counts where nothing is configured. */
  public static final ControllerConfiguration DEFAULTS =
      new ControllerConfiguration(
          new Listen("0.0.0.0", 9443),
          Optional.empty(),
          new Metrics(Optional.of(new Listen("0.0.0.0", 8443)), true, false),
          new Health(Optional.of(new Listen("0.0.0.0", 8081)), "readyz", "healthz"),
          Map.of(),
          new Certificates(
              true, "kubeflow-trainer-controller-manager", "kubeflow-trainer-webhook-cert"),
          new Rate(100, 200),
          new StatusServer(10443, new Rate(100, 200), false, Duration.ofSeconds(1)),
          FeatureGates.DEFAULTS,
          new Tls("TLSv1.2", List.of()),
          Optional.empty(),
          /* updatesTypes= */ false);

  /** How many TrainJobs are reconciled at a time. */
  public int trainJobWorkers() {
    return workers.getOrDefault(TRAIN_JOB_WORKERS, DEFAULT_WORKERS);
  }

  /** These settings with other gates. */
  ControllerConfiguration withFeatureGates(FeatureGates gates) {
    return new ControllerConfiguration(
        webhook,
        leaderElection,
        metrics,
        health,
        workers,
        certificates,
        clientConnection,
        statusServer,
        gates,
        tls,
        agentInjection,
        updatesTypes);
  }

  /**
   * Where something listens.
   *
   * @param host name or address
   * @param port 0 to 65535; 0: any that is free
   */
  public record Listen(String host, int port) {}

  /**
   * How replicas agree on one that reconciles.
   *
   * @param leaseName and namespace of the Lease; an empty namespace is the operator's
   * @param leaseDuration after which others take over from a leader that says nothing
   * @param renewDeadline after which a leader that can't renew gives up; below the duration
   * @param retryPeriod between two tries; below the deadline
   */
  public record LeaderElection(
      String leaseName,
      String leaseNamespace,
      Duration leaseDuration,
      Duration renewDeadline,
      Duration retryPeriod) {}

  /**
   * The endpoint of the controller's own metrics.
   *
   * @param listen empty: there is none
   * @param secure HTTPS with the webhooks' certificate
   * @param authenticated asks the API server whether a reader may have {@code /metrics}
   */
  public record Metrics(Optional<Listen> listen, boolean secure, boolean authenticated) {}

  /**
   * The endpoint of the probes.
   *
   * @param listen empty: there is none
   * @param readiness name of the readiness endpoint, without a slash
   * @param liveness name of the liveness endpoint, without a slash
   */
  public record Health(Optional<Listen> listen, String readiness, String liveness) {}

  /**
   * Where the serving certificate comes from.
   *
   * @param managed the controller makes and renews it; else somebody else does
   * @param serviceName of the Service in front of the controller
   * @param secretName of the Secret that holds certificate and CA
   */
  public record Certificates(boolean managed, String serviceName, String secretName) {}

  /**
   * A limit of requests.
   *
   * @param qps steady rate a second; 0: no limit
   * @param burst how many may come at once; at least 1 where there is a limit
   */
  public record Rate(double qps, int burst) {}

  /**
   * The status server.
   *
   * @param port 1 to 65535
   * @param rate limit of its writes to the API server
   * @param requirePodBoundTokens own: refuses tokens that aren't bound to a pod
   * @param minWriteInterval own: between two writes of one TrainJob's status
   */
  public record StatusServer(
      int port, Rate rate, boolean requirePodBoundTokens, Duration minWriteInterval) {}

  /**
   * TLS of all servers.
   *
   * @param minVersion as the JDK names it: TLSv1.2 or TLSv1.3
   * @param cipherSuites by their IANA names; empty: the JDK's
   */
  public record Tls(String minVersion, List<String> cipherSuites) {
    public Tls {
      cipherSuites = List.copyOf(cipherSuites);
    }

    /** The versions that are spoken, as the JDK names them. */
    public Set<String> protocols() {
      return minVersion.equals("TLSv1.3") ? Set.of("TLSv1.3") : Set.of("TLSv1.2", "TLSv1.3");
    }
  }

  /**
   * How the agent comes into pods.
   *
   * @param image never empty
   * @param imageVolume whether pods mount the image; else an init container copies the agent
   * @param resources of that container, or null
   */
  public record AgentInjection(String image, boolean imageVolume, ResourceRequirements resources) {}
}
