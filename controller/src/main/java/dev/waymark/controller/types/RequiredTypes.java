package dev.waymark.controller.types;

import dev.waymark.controller.Component;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.kubernetes.ApiServerException;
import dev.waymark.controller.kubernetes.PodEvents;
import dev.waymark.controller.kubernetes.ResourcePath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits at the start until the cluster knows all types that the reconcilers watch, and tells how to
 * install what is missing: by the readiness probe, in the log and in an event about this pod. So
 * JobSet can be installed after the controller, and no pod ends again and again until somebody does
 * it.
 */
public final class RequiredTypes implements Component {

  private static final Logger log = LoggerFactory.getLogger(RequiredTypes.class);

  private static final String REASON = "TypesMissing";
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private static final String TRAINER = "trainer.kubeflow.org/v1alpha1";
  private static final String INSTALL_TRAINER =
      "kubectl apply --server-side -f charts/waymark/crds";
  private static final List<RequiredType> TYPES =
      List.of(
          new RequiredType(
              "jobset.x-k8s.io/v1alpha2",
              "jobsets",
              "helm install jobset oci://registry.k8s.io/jobset/charts/jobset --version 0.12.0"
                  + " --namespace jobset-system --create-namespace"),
          new RequiredType(TRAINER, "trainjobs", INSTALL_TRAINER),
          new RequiredType(TRAINER, "trainingruntimes", INSTALL_TRAINER),
          new RequiredType(TRAINER, "clustertrainingruntimes", INSTALL_TRAINER));

  private final ApiServer apiServer;
  private final PodEvents events;
  private final Duration pause;
  private final CountDownLatch closed = new CountDownLatch(1);

  private volatile String problem = "they are not looked for yet";

  /**
   * Looks for nothing yet.
   *
   * @param events where operators are told
   */
  public RequiredTypes(ApiServer apiServer, PodEvents events) {
    this(apiServer, events, PAUSE);
  }

  RequiredTypes(ApiServer apiServer, PodEvents events, Duration pause) {
    this.apiServer = apiServer;
    this.events = events;
    this.pause = pause;
  }

  @Override
  public String name() {
    return "required-types";
  }

  /** Comes back when all are there, or when it is closed. */
  @Override
  public void start() throws InterruptedException {
    List<RequiredType> missing = missing();
    while (!missing.isEmpty()) {
      tell(missing);
      if (closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
      missing = missing();
    }
    problem = null;
  }

  private List<RequiredType> missing() {
    record Asked(RequiredType type, CompletableFuture<Boolean> absent) {}

    List<Asked> asked = TYPES.stream().map(type -> new Asked(type, isAbsent(type))).toList();
    return asked.stream().filter(it -> it.absent().join()).map(Asked::type).toList();
  }

  /** Any other refusal is for the reconcilers to tell, who need more than to list. */
  private CompletableFuture<Boolean> isAbsent(RequiredType type) {
    return apiServer
        .read(type.path() + "?limit=1")
        .handle(
            (list, failure) ->
                ApiServer.cause(failure) instanceof ApiServerException refusal
                    && refusal.isNotFound());
  }

  private void tell(List<RequiredType> missing) {
    String found = "this cluster lacks " + describe(missing);
    if (!found.equals(problem)) {
      problem = found;
      log.warn("Waiting, because {}", found);
      events.warn(REASON, "The controller waits, because " + found);
    }
  }

  private static String describe(List<RequiredType> missing) {
    Map<String, List<String>> byCommand = new LinkedHashMap<>();
    missing.forEach(
        type ->
            byCommand.computeIfAbsent(type.install(), any -> new ArrayList<>()).add(type.name()));
    return byCommand.entrySet().stream()
        .map(it -> String.join(", ", it.getValue()) + " (to install: " + it.getKey() + ")")
        .collect(Collectors.joining("; "));
  }

  @Override
  public Optional<String> notReady() {
    return Optional.ofNullable(problem);
  }

  @Override
  public void close() {
    closed.countDown();
  }

  /**
   * A type without which nothing can be reconciled.
   *
   * @param plural as in its URL
   * @param install the command that brings it
   */
  private record RequiredType(String apiVersion, String plural, String install) {
    String name() {
      return plural + "." + apiVersion.replaceFirst("/.*", "");
    }

    String path() {
      return ResourcePath.of(apiVersion, plural, null, null).path();
    }
  }
}
