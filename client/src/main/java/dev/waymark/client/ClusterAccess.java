package dev.waymark.client;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.waymark.trainer.api.FieldProblem;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.api.model.NamedExtension;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Which cluster, as whom, and in which namespace. Null leaves a choice to the surroundings, as
 * kubectl does: the files of {@code KUBECONFIG} or {@code ~/.kube/config}, in a pod without them
 * its own account; the current context; the context's namespace, or {@code default}.
 *
 * @param kubeconfig a file that says where and who, or null
 * @param context one of its contexts, or null
 * @param namespace of the TrainJobs; null or, as kubectl has it, empty: not said
 * @param callTimeout for each call of the API server, at least 1 ms
 */
public record ClusterAccess(
    Path kubeconfig, String context, String namespace, Duration callTimeout) {

  static {
    // An extension in a kubeconfig might be anything that Kubernetes has, so fabric8 would load its
    // models of all that before it reads one: half of what reading it takes (7.6.1).
    Serialization.jsonMapper().addMixIn(NamedExtension.class, ExtensionAsItIs.class);
  }

  /** As the Kubeflow SDK has it. */
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(120);

  /**
   * To a connection, and to the first answer of all: a server that is there says something by then.
   */
  private static final Duration FIRST_ANSWER_LIMIT = Duration.ofSeconds(10);

  /** Repeats of a call that wasn't answered or is answered by 429 or 5xx; the first after 0.2 s. */
  private static final int REPEATS = 3;

  private static final int FIRST_REPEAT_MILLIS = 200;

  /** All of it from the surroundings; two minutes for each call. */
  public static ClusterAccess standard() {
    return new ClusterAccess(null, null, null, CALL_TIMEOUT);
  }

  public ClusterAccess withKubeconfig(Path kubeconfig) {
    return new ClusterAccess(kubeconfig, context, namespace, callTimeout);
  }

  public ClusterAccess withContext(String context) {
    return new ClusterAccess(kubeconfig, context, namespace, callTimeout);
  }

  public ClusterAccess withNamespace(String namespace) {
    return new ClusterAccess(kubeconfig, context, namespace, callTimeout);
  }

  public ClusterAccess withCallTimeout(Duration callTimeout) {
    return new ClusterAccess(kubeconfig, context, namespace, callTimeout);
  }

  /**
   * The client's settings, until a server has answered once: calls may take {@link #callTimeout}
   * from then on.
   *
   * @throws TrainerException.Invalid if a file or a context isn't there or can't be read
   * @throws TrainerException.Unreachable if no cluster is configured at all
   */
  Config config() {
    Config config = read();
    config.setConnectionTimeout((int) FIRST_ANSWER_LIMIT.toMillis());
    config.setRequestTimeout((int) Math.min(callTimeout.toMillis(), FIRST_ANSWER_LIMIT.toMillis()));
    config.setRequestRetryBackoffLimit(REPEATS);
    config.setRequestRetryBackoffInterval(FIRST_REPEAT_MILLIS);
    // A watch that was cut is to be told at once: Changes then reads, and opens another.
    config.setWatchReconnectLimit(0);
    if (namespace != null && !namespace.isEmpty()) {
      config.setNamespace(ObjectNames.checked("Namespace", namespace));
    } else if (config.getNamespace() == null || config.getNamespace().isBlank()) {
      config.setNamespace("default");
    }
    return config;
  }

  /** What a kubeconfig's text says, of its current context. */
  static Config parse(String kubeconfig) {
    return Config.fromKubeconfig(kubeconfig);
  }

  private Config read() {
    if (kubeconfig != null && !Files.isRegularFile(kubeconfig)) {
      throw invalid("kubeconfig", kubeconfig + " is not there");
    }
    Config config;
    try {
      config =
          kubeconfig == null
              ? Config.autoConfigure(context)
              : Config.fromKubeconfig(context, kubeconfig.toFile());
    } catch (RuntimeException e) {
      // Whatever its reader of YAML throws, or a null that it trips over (fabric8 7.6.1).
      throw new TrainerException.Invalid(unreadable(e), List.of(), e);
    }
    NamedContext current = config.getCurrentContext();
    // fabric8 7.6 takes the current context, another cluster, for one that it doesn't find.
    if (context != null && (current == null || !context.equals(current.getName()))) {
      List<String> known =
          config.getContexts() == null
              ? List.of()
              : config.getContexts().stream().map(NamedContext::getName).sorted().toList();
      throw invalid("context", "there is no " + context + "; there is " + known);
    }
    boolean isGuessed = config.getMasterUrl().startsWith(Config.DEFAULT_MASTER_URL);
    if (current != null && isGuessed && config.getFileWithCluster() == null) {
      throw invalid(
          "context",
          current.getName()
              + " is of cluster "
              + current.getContext().getCluster()
              + ", which isn't in the kubeconfig");
    }
    if (current == null && isGuessed) {
      throw new TrainerException.Unreachable(
          "No cluster is configured: there is no kubeconfig with a current context, and this is no"
              + " pod. Name one by KUBECONFIG",
          null);
    }
    return config;
  }

  private String unreadable(RuntimeException failure) {
    String why =
        failure instanceof NullPointerException
            ? "something is missing in it, or all of it"
            : String.valueOf(failure.getMessage()).strip().replaceAll("\\s+", " ");
    return "The kubeconfig"
        + (kubeconfig == null ? "" : " " + kubeconfig)
        + " can't be read: "
        + why;
  }

  /** One that nobody looks into. */
  private abstract static class ExtensionAsItIs {

    @JsonDeserialize
    abstract void setExtension(Object extension);
  }

  private static TrainerException invalid(String what, String message) {
    return new TrainerException.Invalid("Cluster", List.of(new FieldProblem(what, message)));
  }
}
