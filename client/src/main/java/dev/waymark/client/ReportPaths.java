package dev.waymark.client;

import dev.waymark.client.Finding.Verdict;
import dev.waymark.client.NetworkPath.End;
import dev.waymark.client.NetworkPath.Passage;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Whether the NetworkPolicies of a cluster let the programs' reports through: out of their
 * namespace, to the cluster's names and to the controller, and into the controller's namespace. One
 * that doesn't leaves progress unknown, and nobody says so (kubeflow/trainer#3345).
 */
final class ReportPaths {

  private static final String PART = "network policies";

  /** Of the controller's Service and pods, unless its Service says another. */
  private static final int STATUS_PORT = 10_443;

  /** Where the cluster's names are, by convention. */
  private static final End NAMES = End.of("kube-system");

  private final Cluster cluster;
  private final String namespace;

  /**
   * For the TrainJobs of a namespace.
   *
   * @param namespace of the TrainJobs
   */
  ReportPaths(Cluster cluster, String namespace) {
    this.cluster = cluster;
    this.namespace = namespace;
  }

  /**
   * Looks at them.
   *
   * @param controllerNamespace where the controller is
   * @param service its name, or null where that isn't known
   */
  Finding finding(String controllerNamespace, String service) {
    End programs = End.of(namespace);
    Optional<Service> found = service(controllerNamespace, service);
    End controller =
        new End(
            controllerNamespace,
            labels(controllerNamespace),
            found.map(it -> it.getSpec().getSelector()).orElse(null));
    NetworkPath reports = new NetworkPath(programs, controller, "TCP", port(found));
    List<NetworkPolicy> own = policies(namespace);
    List<String> closed = new ArrayList<>();
    List<String> uncertain = new ArrayList<>();
    tell(
        new NetworkPath(programs, NAMES, "UDP", 53).out(own),
        "out to the cluster's names in " + NAMES.namespace() + ", UDP 53",
        closed,
        uncertain);
    String to = controllerNamespace + ", TCP " + reports.port();
    tell(reports.out(own), "out to " + to, closed, uncertain);
    tell(
        orElse(() -> reports.in(policies(controllerNamespace)), Passage.OPEN),
        "in to " + to,
        closed,
        uncertain);
    if (!closed.isEmpty()) {
      return new Finding(
          PART,
          Verdict.WARNING,
          "nothing passes from "
              + namespace
              + " "
              + String.join(" and ", closed)
              + ": programs report in vain");
    }
    return uncertain.isEmpty()
        ? new Finding(PART, Verdict.OK, "reports pass from " + namespace + " to " + to)
        : new Finding(
            PART,
            Verdict.WARNING,
            "whether reports pass from "
                + namespace
                + " "
                + String.join(" and ", uncertain)
                + " depends on labels or addresses that can't be seen here");
  }

  private static void tell(
      Passage passage, String way, List<String> closed, List<String> uncertain) {
    switch (passage) {
      case CLOSED -> closed.add(way);
      case DEPENDS -> uncertain.add(way);
      case OPEN -> {}
    }
  }

  private List<NetworkPolicy> policies(String where) {
    return cluster.call(
        "list the NetworkPolicies of namespace " + where,
        () ->
            cluster.client().network().v1().networkPolicies().inNamespace(where).list().getItems());
  }

  private Optional<Service> service(String where, String name) {
    return name == null
        ? Optional.empty()
        : orElse(
            () ->
                Optional.ofNullable(
                    cluster.call(
                        "read Service " + name,
                        () -> cluster.client().services().inNamespace(where).withName(name).get())),
            Optional.empty());
  }

  private Map<String, String> labels(String where) {
    Namespace found =
        orElse(
            () ->
                cluster.call(
                    "read Namespace " + where,
                    () -> cluster.client().namespaces().withName(where).get()),
            null);
    return found == null || found.getMetadata().getLabels() == null
        ? End.of(where).namespaceLabels()
        : found.getMetadata().getLabels();
  }

  /** That of the pods, which a Service may give another number. */
  private static int port(Optional<Service> service) {
    return service.stream()
        .flatMap(it -> it.getSpec().getPorts().stream())
        .filter(it -> VersionProbe.STATUS_PORT.equals(it.getName()))
        .findFirst()
        .map(
            it ->
                Optional.ofNullable(it.getTargetPort())
                    .map(IntOrString::getIntVal)
                    .or(() -> Optional.ofNullable(it.getPort()))
                    .orElse(STATUS_PORT))
        .orElse(STATUS_PORT);
  }

  /** What is unknown to those who have no right to see it. */
  private static <T> T orElse(Supplier<T> look, T unknown) {
    try {
      T seen = look.get();
      return seen == null ? unknown : seen;
    } catch (TrainerException.Denied noRight) {
      return unknown;
    }
  }
}
