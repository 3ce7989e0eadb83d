package dev.waymark.client;

import dev.waymark.client.ClusterVersion.Progress;
import dev.waymark.client.Finding.Verdict;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.RuntimeRef;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobSpec;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.Endpoints;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ServiceReference;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Looks at all that a TrainJob needs of a cluster, with the rights of whoever asks. What he may not
 * see is unknown, and hides nothing else.
 */
final class Diagnosis {

  private static final List<String> TYPES =
      List.of("clustertrainingruntimes", "trainingruntimes", "trainjobs");

  /** Name of what is tried, and of what it lacks; nothing of that name is ever made. */
  private static final String TRIED = "waymark-doctor";

  private final Cluster cluster;
  private final Trainings trainings;
  private final DeviceMap devices;
  private final String namespace;
  private final String systemNamespace;
  private final Supplier<ClusterVersion> version;

  Diagnosis(
      Cluster cluster,
      Trainings trainings,
      DeviceMap devices,
      String namespace,
      String systemNamespace,
      Supplier<ClusterVersion> version) {
    this.cluster = cluster;
    this.trainings = trainings;
    this.devices = devices;
    this.namespace = namespace;
    this.systemNamespace = systemNamespace;
    this.version = version;
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
    findings.add(look(WebhookTrust.PART, this::webhooks));
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
    Optional<ServiceReference> service = controllerService();
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

  /** Whom the API server asks about TrainJobs. */
  private Optional<ServiceReference> controllerService() {
    return webhooksOfTrainer().stream()
        .map(webhook -> webhook.getClientConfig().getService())
        .filter(Objects::nonNull)
        .findFirst();
  }

  private Finding webhooks() {
    List<ValidatingWebhook> webhooks = webhooksOfTrainer();
    Finding trust = WebhookTrust.of(webhooks, Instant.now());
    return webhooks.isEmpty() || trust.verdict() == Verdict.FAILURE
        ? trust
        : WebhookTrust.after(answerToATrainJobWithoutARuntime(), trust);
  }

  /** What the API server says to a TrainJob that no webhook lets in; null if it lets it in. */
  private TrainerException answerToATrainJobWithoutARuntime() {
    TrainJob job = new TrainJob();
    job.getMetadata().setName(TRIED);
    job.setSpec(
        new TrainJobSpec(
            new RuntimeRef(TRIED, null, null, null), null, null, null, null, null, null, null));
    try {
      cluster.call(
          "try a TrainJob",
          () ->
              cluster
                  .client()
                  .resources(TrainJob.class)
                  .inNamespace(namespace)
                  .resource(job)
                  .dryRun()
                  .create());
      return null;
    } catch (TrainerException refusal) {
      return refusal;
    }
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

  private Finding networkPolicies() {
    ReportPaths paths = new ReportPaths(cluster, namespace);
    try {
      return controllerService()
          .map(it -> paths.finding(it.getNamespace(), it.getName()))
          .orElseGet(() -> paths.finding(systemNamespace, null));
    } catch (TrainerException.Denied noRightToSeeWebhooks) {
      return paths.finding(systemNamespace, null);
    }
  }

  private Finding accelerators() {
    List<Node> nodes =
        cluster.call("list the nodes", () -> cluster.client().nodes().list().getItems());
    return AcceleratorSupply.of(nodes, trainings.runtimes(namespace).items(), devices);
  }
}
