package dev.waymark.controller.kubernetes;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.status.http.ClientTls;
import dev.waymark.trainer.api.ClusterTrainingRuntime;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainingRuntime;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The controller's one client of the API server. */
public final class ClusterConnection {

  private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(10);

  /**
   * Of the watches' and the elector's requests; {@link ApiServer}'s are not repeated. With
   * fabric8's ten repeats a refused connection takes 21 s to be told.
   */
  private static final int REPEATS = 3;

  /**
   * What watches tell, a failure's Status included. By itself the client would load its models of
   * everything that Kubernetes has, more than a thousand classes, with its first watch (7.6.1).
   */
  private static final List<Class<? extends KubernetesResource>> WATCHED =
      List.of(
          JobSet.class,
          TrainJob.class,
          TrainingRuntime.class,
          ClusterTrainingRuntime.class,
          ConfigMap.class,
          Secret.class,
          Pod.class,
          Status.class);

  /**
   * Opens a client.
   *
   * @param kubeconfig file that says where and who; empty: {@code KUBECONFIG}, then the pod's own
   *     account, then {@code ~/.kube/config}, as Go's controllers have it
   * @param vertx runs its connections; stays open when the client closes
   * @param observers see each request
   */
  public static KubernetesClient open(
      Optional<Path> kubeconfig, Vertx vertx, List<Interceptor> observers) {
    ObjectMapper mapper = new ObjectMapper();
    KubernetesSerialization serialization = serialization(mapper);
    meanwhile("readers", () -> WATCHED.forEach(mapper::readerFor));
    meanwhile("tls", ClientTls::prepare);
    Config config = kubeconfig.map(file -> Config.fromKubeconfig(file.toFile())).orElse(null);
    if (config == null) {
      String variable = System.getenv("KUBECONFIG");
      if ((variable == null || variable.isBlank()) && Files.exists(ACCOUNT.resolve("token"))) {
        // fabric8 would prefer a file in the home folder.
        System.setProperty(Config.KUBERNETES_AUTH_TRYKUBECONFIG_SYSTEM_PROPERTY, "false");
      }
      config = Config.autoConfigure(null);
    }
    config.setConnectionTimeout((int) CONNECT_LIMIT.toMillis());
    config.setRequestTimeout((int) REQUEST_LIMIT.toMillis());
    config.setRequestRetryBackoffLimit(REPEATS);
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withKubernetesSerialization(serialization)
        .withHttpClientFactory(new ApiServerHttp(vertx))
        .withHttpClientBuilderConsumer(
            builder ->
                observers.forEach(
                    observer ->
                        builder.addOrReplaceInterceptor(observer.getClass().getName(), observer)))
        .build();
  }

  /**
   * Opens a client of a server of this very process, with which requests to an API server can be
   * practised: whatever certificate it shows, and without credentials.
   *
   * @param port of this machine's own address
   */
  public static KubernetesClient ofThisProcess(int port, Vertx vertx) {
    Config config = Config.empty();
    config.setMasterUrl(
        "https://" + InetAddress.getLoopbackAddress().getHostAddress() + ":" + port);
    config.setTrustCerts(true);
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withKubernetesSerialization(serialization())
        .withHttpClientFactory(new ApiServerHttp(vertx))
        .build();
  }

  /**
   * Does on another thread what takes a quarter of a start, and what the first answers would have
   * to wait for on an event loop: whoever needs it sooner does it himself, or waits for the rest.
   */
  private static void meanwhile(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Reads objects without their {@code managedFields}, which nobody here reads: they are as long as
   * all else of an object, and every watch tells them.
   */
  public static KubernetesSerialization serialization() {
    return serialization(new ObjectMapper());
  }

  private static KubernetesSerialization serialization(ObjectMapper mapper) {
    mapper
        .configOverride(ObjectMeta.class)
        .setIgnorals(JsonIgnoreProperties.Value.forIgnoredProperties("managedFields"));
    KubernetesSerialization serialization =
        new KubernetesSerialization(mapper, /* searchClassloaders= */ false);
    WATCHED.forEach(serialization::registerKubernetesResource);
    return serialization;
  }

  /** The namespace that a pod of this cluster runs in; empty outside of pods. */
  public static Optional<String> podNamespace() {
    try {
      return Optional.of(Files.readString(ACCOUNT.resolve("namespace")).strip())
          .filter(name -> !name.isEmpty());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private ClusterConnection() {}
}
