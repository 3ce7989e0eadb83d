package dev.waymark.controller.reconcile;

import dev.waymark.controller.ControllerConfiguration;
import dev.waymark.controller.reconcile.Reconcilers.Home;
import dev.waymark.plan.ClusterSettings;

/** What this cluster adds to every plan. */
final class ClusterView {

  private final ControllerConfiguration configuration;
  private final Home home;
  private final TrustAnchors trusted;

  ClusterView(ControllerConfiguration configuration, Home home, TrustAnchors trusted) {
    this.configuration = configuration;
    this.home = home;
    this.trusted = trusted;
  }

  /**
   * The settings as they are now.
   *
   * @throws IllegalStateException while pods could not trust the status server
   */
  ClusterSettings settings() {
    return new ClusterSettings(
        configuration.featureGates().trainJobStatus() ? progress() : null,
        configuration
            .agentInjection()
            .map(
                agent ->
                    new ClusterSettings.AgentInjection(
                        agent.image(), agent.imageVolume(), agent.resources()))
            .orElse(null));
  }

  private ClusterSettings.Progress progress() {
    ControllerConfiguration.Certificates certificates = configuration.certificates();
    String authority =
        certificates.serviceName()
            + "."
            + home.namespace()
            + ".svc:"
            + configuration.statusServer().port();
    String pem =
        trusted
            .pem()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "nobody could trust the status server: its authority is not known yet"));
    return new ClusterSettings.Progress("https://" + authority, pem);
  }
}
