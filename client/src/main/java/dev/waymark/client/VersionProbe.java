package dev.waymark.client;

import dev.waymark.client.ClusterVersion.Progress;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Finds out what runs in a cluster with the rights that a user has. Nothing tells directly whether
 * the controller's feature gate for progress is open, so what follows from it is looked at:
 * reports, pods that are told where to report, the port of the endpoint.
 */
final class VersionProbe {

  /** Name and keys: kubeflow/trainer v2.3 and SDK 0.5.0; the last one is Waymark's chart's. */
  private static final String PUBLIC = "kubeflow-trainer-public";

  private static final String TRAINER_VERSION = "kubeflow_trainer_version";
  private static final String WAYMARK_VERSION = "waymark_version";

  private static final String SERVER_URL = "KUBEFLOW_TRAINER_SERVER_URL";

  /** Name of the endpoint's port in both controllers' Services. */
  static final String STATUS_PORT = "status-server";

  /** Enough to see it by. */
  private static final long SAMPLE = 50;

  private final Cluster cluster;
  private final String namespace;
  private final String systemNamespace;

  VersionProbe(Cluster cluster, String namespace, String systemNamespace) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.systemNamespace = systemNamespace;
  }

  /** Where the controller lives, as the Kubeflow SDK finds it. */
  static String systemNamespaceOf(Map<String, String> environment) {
    String said = environment.get("KUBEFLOW_SYSTEM_NAMESPACE");
    return said == null || said.isBlank() ? "kubeflow-system" : said;
  }

  ClusterVersion probe() {
    String kubernetes =
        cluster.call(
            "ask for the version", () -> cluster.client().getKubernetesVersion().getGitVersion());
    Map<String, String> told = publicData();
    ClusterVersion found =
        Stream.<Supplier<Optional<ClusterVersion>>>of(this::byReports, this::byPods, this::byPort)
            .map(Supplier::get)
            .flatMap(Optional::stream)
            .findFirst()
            .orElse(seen(Progress.UNKNOWN, "no TrainJob of namespace " + namespace + " has pods"));
    return new ClusterVersion(
        kubernetes,
        told.getOrDefault(TRAINER_VERSION, ""),
        told.getOrDefault(WAYMARK_VERSION, ""),
        found.progress(),
        found.evidence());
  }

  private static ClusterVersion seen(Progress progress, String evidence) {
    return new ClusterVersion("", "", "", progress, evidence);
  }

  private Map<String, String> publicData() {
    try {
      ConfigMap map =
          cluster.call(
              "read ConfigMap " + PUBLIC,
              () ->
                  cluster
                      .client()
                      .configMaps()
                      .inNamespace(systemNamespace)
                      .withName(PUBLIC)
                      .get());
      return map == null || map.getData() == null ? Map.of() : map.getData();
    } catch (TrainerException.Denied noRight) {
      return Map.of();
    }
  }

  private Optional<ClusterVersion> byReports() {
    List<TrainJob> sample =
        cluster.call(
            "list the TrainJobs of namespace " + namespace,
            () ->
                cluster
                    .client()
                    .resources(TrainJob.class)
                    .inNamespace(namespace)
                    .list(new ListOptionsBuilder().withLimit(SAMPLE).build())
                    .getItems());
    return sample.stream()
        .filter(job -> job.getStatus() != null && job.getStatus().trainerStatus() != null)
        .findFirst()
        .map(job -> seen(Progress.ON, job.title() + " has reported"));
  }

  private Optional<ClusterVersion> byPods() {
    List<Pod> training = new ArrayList<>();
    cluster.pods(namespace, null, training::add);
    return training.stream()
        .filter(pod -> node(pod).isPresent())
        .findFirst()
        .map(
            pod ->
                isTold(node(pod).orElseThrow())
                    ? seen(Progress.ON, pod.getMetadata().getName() + " is told where to report")
                    : seen(
                        Progress.OFF,
                        pod.getMetadata().getName() + " is not told where to report"));
  }

  private static Optional<Container> node(Pod pod) {
    return pod.getSpec().getContainers().stream()
        .filter(container -> TrainerApi.NODE.equals(container.getName()))
        .findFirst();
  }

  private static boolean isTold(Container node) {
    return node.getEnv().stream().anyMatch(variable -> SERVER_URL.equals(variable.getName()));
  }

  /** Both controllers' services have the port while the gate is open, and not else. */
  private Optional<ClusterVersion> byPort() {
    List<Service> services;
    try {
      services =
          cluster.call(
              "list the Services of namespace " + systemNamespace,
              () -> cluster.client().services().inNamespace(systemNamespace).list().getItems());
    } catch (TrainerException.Denied noRight) {
      return Optional.empty();
    }
    return services.stream()
        .filter(service -> service.getMetadata().getName().contains("trainer"))
        .findFirst()
        .map(
            service ->
                service.getSpec().getPorts().stream()
                        .map(ServicePort::getName)
                        .anyMatch(STATUS_PORT::equals)
                    ? seen(Progress.ON, "Service " + name(service) + " has the endpoint's port")
                    : seen(Progress.OFF, "Service " + name(service) + " has no endpoint's port"));
  }

  private static String name(Service service) {
    return service.getMetadata().getName();
  }
}
