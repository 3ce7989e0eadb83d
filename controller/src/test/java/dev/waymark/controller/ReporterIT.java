package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.controller.RunningController.Operator;
import dev.waymark.testbed.OnCluster;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobStatus;
import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import dev.waymark.trainer.api.TrainingRuntime;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountTokenProjection;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Both sides of Waymark on a real cluster: a TrainJob becomes a pod, a JVM is started with exactly
 * what that pod's container gets, and what it reports stands in the TrainJob.
 */
@OnCluster
class ReporterIT {

  private static final Duration LIMIT = Duration.ofMinutes(1);

  @TempDir Path folder;

  @Test
  void aTrainingInAPodOfATrainJobShowsItsProgressThere(KubernetesClient client) throws Exception {
    Files.createDirectory(folder.resolve("operator"));
    try (Operator operator = new Operator(client, folder.resolve("operator"));
        RunningController controller = new RunningController(operator, "")) {
      createTrainJob(client);
      Pod pod =
          await()
              .atMost(LIMIT)
              .until(
                  () -> client.pods().list().getItems().stream().findFirst().orElse(null),
                  it -> it != null);

      Process training = start(pod, client, operator.host());
      Set<Integer> seen = new TreeSet<>();
      await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(200))
          .until(
              () -> {
                TrainerStatus status = trainerStatus(client);
                if (status != null && status.progressPercentage() != null) {
                  seen.add(status.progressPercentage());
                }
                return seen.contains(100);
              });

      assertThat(training.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(Files.readString(folder.resolve("log"))).doesNotContain("WARN");
      assertThat(training.exitValue()).isZero();
      // One on the way at least, and the last word; how many more are seen is the machine's affair.
      assertThat(seen).hasSizeGreaterThan(1);
      assertThat(trainerStatus(client).metrics())
          .contains(new Metric("state", "completed"), new Metric("current_step", "60"));

      succeed(client, pod);
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  status(client).conditions() != null
                      && status(client).conditions().get(0).getType().equals("Complete"));
      assertThat(trainerStatus(client).progressPercentage()).isEqualTo(100);
      assertThat(controller.fatal()).isEmpty();
    }
  }

  private static void createTrainJob(KubernetesClient client) {
    create(
        client,
        TrainingRuntime.class,
        """
        apiVersion: trainer.kubeflow.org/v1alpha1
        kind: TrainingRuntime
        metadata: {name: plain}
        spec:
          mlPolicy: {numNodes: 1}
          template:
            spec:
              replicatedJobs:
                - name: node
                  template:
                    metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
                    spec:
                      template:
                        spec:
                          containers: [{name: node, image: "registry.example/app:1"}]
        """);
    create(
        client,
        TrainJob.class,
        """
        apiVersion: trainer.kubeflow.org/v1alpha1
        kind: TrainJob
        metadata: {name: demo}
        spec:
          runtimeRef: {kind: TrainingRuntime, name: plain}
          trainer: {env: [{name: WAYMARK_INTERVAL, value: "1"}]}
        """);
  }

  /**
   * Starts what the container would: its variables, and the files of its projected volume, which
   * lie under another root here, since nobody may write to /var/run of the machine.
   */
  private Process start(Pod pod, KubernetesClient client, String host) throws IOException {
    Container node = pod.getSpec().getContainers().get(0);
    String mount =
        node.getVolumeMounts().stream()
            .filter(it -> it.getName().equals("kubeflow-trainer-token"))
            .findFirst()
            .orElseThrow()
            .getMountPath();
    Path files = Files.createDirectories(folder.resolve("pod" + mount));
    for (VolumeProjection source : projected(pod)) {
      if (source.getServiceAccountToken() != null) {
        Files.writeString(
            files.resolve(source.getServiceAccountToken().getPath()),
            token(client, pod, source.getServiceAccountToken()));
      } else {
        client
            .configMaps()
            .withName(source.getConfigMap().getName())
            .get()
            .getData()
            .forEach((name, text) -> write(files.resolve(name), text));
      }
    }
    Path hosts = Files.writeString(folder.resolve("hosts"), "127.0.0.1 " + host + "\n");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djdk.net.hosts.file=" + hosts,
            "-cp",
            System.getProperty("java.class.path"),
            TrainingProgram.class.getName());
    builder.environment().clear();
    for (EnvVar variable : node.getEnv()) {
      if (variable.getValue() != null) {
        builder
            .environment()
            .put(variable.getName(), variable.getValue().replace(mount, files.toString()));
      }
    }
    builder.redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile());
    return builder.start();
  }

  private static List<VolumeProjection> projected(Pod pod) {
    return pod.getSpec().getVolumes().stream()
        .filter(it -> it.getName().equals("kubeflow-trainer-token"))
        .findFirst()
        .orElseThrow()
        .getProjected()
        .getSources();
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What a kubelet asks for. */
  private static String token(
      KubernetesClient client, Pod pod, ServiceAccountTokenProjection wanted) {
    return client
        .serviceAccounts()
        .withName("default")
        .tokenRequest(
            new TokenRequestBuilder()
                .withNewSpec()
                .withAudiences(wanted.getAudience())
                .withExpirationSeconds(wanted.getExpirationSeconds())
                .withNewBoundObjectRef(
                    "v1", "Pod", pod.getMetadata().getName(), pod.getMetadata().getUid())
                .endSpec()
                .build())
        .getStatus()
        .getToken();
  }

  private static void succeed(KubernetesClient client, Pod pod) {
    client
        .pods()
        .withName(pod.getMetadata().getName())
        .editStatus(
            it -> new PodBuilder(it).editOrNewStatus().withPhase("Succeeded").endStatus().build());
  }

  private static <T extends HasMetadata> void create(
      KubernetesClient client, Class<T> type, String yaml) {
    client.resource(client.getKubernetesSerialization().<T>unmarshal(yaml, type)).create();
  }

  private static TrainJobStatus status(KubernetesClient client) {
    return client.resources(TrainJob.class).withName("demo").get().getStatus();
  }

  private static TrainerStatus trainerStatus(KubernetesClient client) {
    return status(client) == null ? null : status(client).trainerStatus();
  }
}
