package dev.waymark.controller.chart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.waymark.controller.AccountKubeconfig;
import dev.waymark.controller.CommandLine;
import dev.waymark.controller.ConfigurationReader;
import dev.waymark.controller.Controller;
import dev.waymark.controller.ControllerConfiguration;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * The controller of a release, in this JVM in the place of its pod: with the arguments that the
 * Deployment gives it, the files that it mounts, and the rights of its service account.
 */
final class ReleasedController implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final ControllerConfiguration configuration;
  private final Controller controller;
  private final List<String> fatal = new CopyOnWriteArrayList<>();
  private CompletableFuture<Void> start;

  /**
   * Makes one that does nothing yet.
   *
   * @param admin client in the release's namespace
   * @param folder stands for the root of the pod's files; empty
   */
  ReleasedController(KubernetesClient admin, String deployment, Path folder) throws Exception {
    PodSpec pod =
        admin.apps().deployments().withName(deployment).get().getSpec().getTemplate().getSpec();
    Container manager = pod.getContainers().get(0);
    for (VolumeMount mount : manager.getVolumeMounts()) {
      write(files(admin, volume(pod, mount)), inside(folder, mount.getMountPath()));
    }
    Path kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"), AccountKubeconfig.of(admin, pod.getServiceAccountName()));
    List<String> arguments = new ArrayList<>();
    for (String argument : manager.getArgs()) {
      arguments.add(argument.replace("--config=/", "--config=" + folder + "/"));
    }
    arguments.add("--kubeconfig=" + kubeconfig);
    arguments.add("--operator-namespace=" + admin.getNamespace());
    arguments.add("--cert-dir=" + inside(folder, CommandLine.DEFAULT_CERTIFICATES.toString()));
    CommandLine commandLine = CommandLine.parse(arguments.toArray(String[]::new)).orElseThrow();
    Path file = commandLine.configuration().orElseThrow();
    configuration = ConfigurationReader.read(file.toString(), Files.readString(file));
    controller = new Controller(commandLine, configuration, fatal::add);
  }

  private static Path inside(Path folder, String path) {
    return folder.resolve(path.substring(1));
  }

  private static Volume volume(PodSpec pod, VolumeMount mount) {
    return pod.getVolumes().stream()
        .filter(volume -> volume.getName().equals(mount.getName()))
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, byte[]> files(KubernetesClient admin, Volume volume) {
    if (volume.getConfigMap() != null) {
      ConfigMap map = admin.configMaps().withName(volume.getConfigMap().getName()).get();
      return map.getData().entrySet().stream()
          .collect(Collectors.toMap(Map.Entry::getKey, file -> file.getValue().getBytes(UTF_8)));
    } else if (volume.getSecret() != null) {
      return admin
          .secrets()
          .withName(volume.getSecret().getSecretName())
          .get()
          .getData()
          .entrySet()
          .stream()
          .collect(
              Collectors.toMap(
                  Map.Entry::getKey, file -> Base64.getDecoder().decode(file.getValue())));
    }
    return Map.of();
  }

  private static void write(Map<String, byte[]> files, Path folder) throws IOException {
    Files.createDirectories(folder);
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Files.write(folder.resolve(file.getKey()), file.getValue());
    }
  }

  /** Starts it, and comes back at once. */
  void start() {
    start =
        CompletableFuture.runAsync(
            () -> {
              try {
                controller.start();
              } catch (Exception e) {
                fatal.add(e.toString());
              }
            });
  }

  /** Starts it, and waits until it is ready. */
  void startUp() {
    start();
    awaitReady();
  }

  void awaitReady() {
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(() -> !fatal.isEmpty() || readiness().statusCode() == 200);
    if (!fatal.isEmpty()) {
      throw new AssertionError("the controller ended: " + fatal);
    }
  }

  /** What its readiness probe says. */
  HttpResponse<String> readiness() throws IOException, InterruptedException {
    int port = configuration.health().listen().orElseThrow().port();
    return get(port, configuration.health().readiness());
  }

  /** Its metrics, which the values must have served in the clear. */
  String metrics() throws IOException, InterruptedException {
    return get(configuration.metrics().listen().orElseThrow().port(), "metrics").body();
  }

  private static HttpResponse<String> get(int port, String path)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + port + "/" + path);
    return HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  /** Ends it as its pod would be ended. */
  @Override
  public void close() {
    controller.close();
    if (start != null) {
      start.join();
    }
    if (!fatal.isEmpty()) {
      throw new AssertionError("the controller ended: " + fatal);
    }
  }
}
