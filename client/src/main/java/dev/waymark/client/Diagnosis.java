package dev.waymark.client;

import dev.waymark.client.ClusterVersion.Progress;
import dev.waymark.client.Finding.Verdict;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.Endpoints;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ServiceReference;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Looks at all that a TrainJob needs of a cluster, with the rights of whoever asks. What he may not
 * see is unknown, and hides nothing else.
 */
final class Diagnosis {

  private static final List<String> TYPES =
      List.of("clustertrainingruntimes", "trainingruntimes", "trainjobs");

  /** Time to do something about it. */
  private static final Duration SOON = Duration.ofDays(7);

  private final Cluster cluster;
  private final Trainings trainings;
  private final DeviceMap devices;
  private final String namespace;
  private final Supplier<ClusterVersion> version;
  private final Supplier<Instant> clock;

  Diagnosis(
      Cluster cluster,
      Trainings trainings,
      DeviceMap devices,
      String namespace,
      Supplier<ClusterVersion> version,
      Supplier<Instant> clock) {
    this.cluster = cluster;
    this.trainings = trainings;
    this.devices = devices;
    this.namespace = namespace;
    this.version = version;
    this.clock = clock;
  }

  /**
   * The findings, in the order in which things build on each other.
   *
   * @throws TrainerException where nothing can be found out: no cluster, no login
   */
  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    findings.add(types());
    if (findings.get(0).verdict() == Verdict.FAILURE) {
      return findings;
    }
    findings.add(look("JobSet", this::jobSet));
    findings.add(look("controller", this::controller));
    findings.add(look("webhooks", this::webhooks));
    findings.add(look("runtimes", this::runtimes));
    findings.add(look("progress", this::progress));
    findings.add(look("network policies", this::networkPolicies));
    findings.add(look("accelerators", this::accelerators));
    return findings;
  }

  private static Finding look(String part, Supplier<Finding> look) {
    try {
      return look.get();
    } catch (TrainerException.Denied noRight) {
      return new Finding(part, Verdict.UNKNOWN, noRight.getMessage());
    }
  }

  private Finding types() {
    List<String> missing = missing(TrainerApi.API_VERSION, TYPES);
    return missing.isEmpty()
        ? new Finding("Trainer API", Verdict.OK, TrainerApi.API_VERSION + " is served")
        : new Finding(
            "Trainer API",
            Verdict.FAILURE,
            missing
                + " of "
                + TrainerApi.API_VERSION
                + " are missing: install Kubeflow Trainer or Waymark's controller");
  }

  private Finding jobSet() {
    String api = JobSet.GROUP + "/" + JobSet.VERSION;
    return missing(api, List.of("jobsets")).isEmpty()
        ? new Finding("JobSet", Verdict.OK, api + " is served")
        : new Finding(
            "JobSet",
            Verdict.FAILURE,
            api + " is missing: no TrainJob gets pods until JobSet is installed");
  }

  private List<String> missing(String api, List<String> plurals) {
    APIResourceList served =
        cluster.call("look for " + api, () -> cluster.client().getApiResources(api));
    List<String> names =
        served == null
            ? List.of()
            : served.getResources().stream().map(APIResource::getName).toList();
    return plurals.stream().filter(name -> !names.contains(name)).toList();
  }

  private Finding controller() {
    Optional<ServiceReference> service =
        webhooksOfTrainer().stream()
            .map(webhook -> webhook.getClientConfig().getService())
            .filter(it -> it != null)
            .findFirst();
    if (service.isEmpty()) {
      return new Finding(
          "controller", Verdict.UNKNOWN, "no admission webhook says in which namespace it is");
    }
    String name = service.get().getName() + " in " + service.get().getNamespace();
    Endpoints endpoints =
        cluster.call(
            "read the endpoints of " + name,
            () ->
                cluster
                    .client()
                    .endpoints()
                    .inNamespace(service.get().getNamespace())
                    .withName(service.get().getName())
                    .get());
    boolean isReady =
        endpoints != null
            && endpoints.getSubsets() != null
            && endpoints.getSubsets().stream()
                .anyMatch(it -> it.getAddresses() != null && !it.getAddresses().isEmpty());
    return isReady
        ? new Finding("controller", Verdict.OK, name + " is ready")
        : new Finding("controller", Verdict.FAILURE, "nobody is ready behind Service " + name);
  }

  private Finding webhooks() {
    List<ValidatingWebhook> webhooks = webhooksOfTrainer();
    if (webhooks.isEmpty()) {
      return new Finding(
          "webhooks", Verdict.WARNING, "none: what is wrong with a TrainJob shows when it runs");
    }
    for (ValidatingWebhook webhook : webhooks) {
      String bundle = webhook.getClientConfig().getCaBundle();
      if (bundle == null || bundle.isEmpty()) {
        return new Finding(
            "webhooks",
            Verdict.FAILURE,
            webhook.getName() + " has no caBundle: the controller hasn't put one in");
      }
      Optional<Finding> trouble = trouble(webhook.getName(), bundle);
      if (trouble.isPresent()) {
        return trouble.get();
      }
    }
    return new Finding("webhooks", Verdict.OK, "their certificates are good");
  }

  private Optional<Finding> trouble(String webhook, String bundle) {
    Instant end;
    try {
      end = lastOf(bundle);
    } catch (CertificateException | IllegalArgumentException e) {
      return Optional.of(
          new Finding(
              "webhooks",
              Verdict.FAILURE,
              "the caBundle of " + webhook + " is no certificate: " + e.getMessage()));
    }
    Instant now = clock.get();
    if (end.isBefore(now)) {
      return Optional.of(
          new Finding(
              "webhooks", Verdict.FAILURE, "the certificates of " + webhook + " ended at " + end));
    }
    return end.isBefore(now.plus(SOON))
        ? Optional.of(
            new Finding(
                "webhooks", Verdict.WARNING, "the certificates of " + webhook + " end at " + end))
        : Optional.empty();
  }

  /** When the last of them ends, since one that is good suffices. */
  private static Instant lastOf(String bundle) throws CertificateException {
    Collection<? extends Certificate> certificates =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(Base64.getDecoder().decode(bundle)));
    return certificates.stream()
        .map(it -> ((X509Certificate) it).getNotAfter().toInstant())
        .max(Instant::compareTo)
        .orElseThrow(() -> new CertificateException("it is empty"));
  }

  private List<ValidatingWebhook> webhooksOfTrainer() {
    return cluster
        .call(
            "list the ValidatingWebhookConfigurations",
            () ->
                cluster
                    .client()
                    .admissionRegistration()
                    .v1()
                    .validatingWebhookConfigurations()
                    .list())
        .getItems()
        .stream()
        .map(ValidatingWebhookConfiguration::getWebhooks)
        .flatMap(List::stream)
        .filter(webhook -> webhook.getName().endsWith(TrainerApi.GROUP))
        .toList();
  }

  private Finding runtimes() {
    Listing<TrainerRuntime> found = trainings.runtimes(namespace);
    String skipped = found.skipped().isEmpty() ? "" : "; not usable: " + found.skipped();
    if (found.items().isEmpty()) {
      return new Finding("runtimes", Verdict.FAILURE, "none that a TrainJob can use" + skipped);
    }
    return new Finding(
        "runtimes",
        skipped.isEmpty() ? Verdict.OK : Verdict.WARNING,
        found.items().size() + " to choose from" + skipped);
  }

  private Finding progress() {
    ClusterVersion found = version.get();
    Verdict verdict =
        switch (found.progress()) {
          case ON -> Verdict.OK;
          case OFF -> Verdict.WARNING;
          case UNKNOWN -> Verdict.UNKNOWN;
        };
    String hint =
        found.progress() == Progress.OFF
            ? ": the controller's feature gate TrainJobStatus is closed"
            : "";
    return new Finding("progress", verdict, found.evidence() + hint);
  }

  /**
   * A policy that closes the way out leaves the programs' reports unsent (kubeflow/trainer#3345).
   */
  private Finding networkPolicies() {
    List<NetworkPolicy> policies =
        cluster.call(
            "list the NetworkPolicies of namespace " + namespace,
            () ->
                cluster
                    .client()
                    .network()
                    .v1()
                    .networkPolicies()
                    .inNamespace(namespace)
                    .list()
                    .getItems());
    List<String> closing =
        policies.stream()
            .filter(
                it ->
                    it.getSpec().getPolicyTypes() != null
                        && it.getSpec().getPolicyTypes().contains("Egress"))
            .map(it -> it.getMetadata().getName())
            .sorted()
            .toList();
    return closing.isEmpty()
        ? new Finding("network policies", Verdict.OK, "none closes the way out of " + namespace)
        : new Finding(
            "network policies",
            Verdict.WARNING,
            closing
                + " choose what leaves "
                + namespace
                + ": they must let pods reach the controller's port 10443");
  }

  private Finding accelerators() {
    Map<String, BigDecimal> sums = new TreeMap<>();
    List<Node> nodes =
        cluster.call("list the nodes", () -> cluster.client().nodes().list().getItems());
    for (Node node : nodes) {
      if (node.getStatus() != null && node.getStatus().getAllocatable() != null) {
        node.getStatus()
            .getAllocatable()
            .forEach(
                (name, amount) -> {
                  if (devices.isAccelerator(name)) {
                    sums.merge(name, amount.getNumericalAmount(), BigDecimal::add);
                  }
                });
      }
    }
    return sums.isEmpty()
        ? new Finding("accelerators", Verdict.WARNING, "none on " + nodes.size() + " nodes")
        : new Finding("accelerators", Verdict.OK, sums + " on " + nodes.size() + " nodes");
  }
}
