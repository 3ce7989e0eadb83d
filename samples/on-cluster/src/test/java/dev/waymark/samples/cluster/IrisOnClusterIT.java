package dev.waymark.samples.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.controller.ControllerProcess;
import dev.waymark.controller.RunningController.Operator;
import dev.waymark.controller.StandInKubelet;
import dev.waymark.status.TrainJobKey;
import dev.waymark.testbed.Cluster;
import dev.waymark.testbed.OnCluster;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The DJL sample as a TrainJob: the built controller makes a JobSet of it, real controllers a Job
 * and a pod, and the program, which knows nothing of Waymark, trains with what that pod is given.
 */
@OnCluster
class IrisOnClusterIT {

  private static final String NAME = "djl-iris";
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir Path folder;

  private Cluster cluster;
  private KubernetesClient client;

  @BeforeEach
  void useCluster(Cluster shared, KubernetesClient own) {
    cluster = shared;
    client = own;
  }

  @AfterEach
  void deleteRuntime() throws IOException {
    client.resource(parse(IrisProgram.runtime())).delete();
  }

  @Test
  void trainsInItsPodAndKubectlShowsHowFarItIs() throws Exception {
    try (Operator operator = new Operator(client, Files.createDirectory(folder.resolve("ops")));
        ControllerProcess controller =
            new ControllerProcess(
                operator, "agentInjection: {image: \"registry.example/agent:1\"}")) {
      controller.installWebhooks();
      client.resource(parse(IrisProgram.runtime())).forceConflicts().serverSideApply();
      client.resource(parse(IrisProgram.trainJob(client.getNamespace(), NAME, 300))).create();
      StandInKubelet kubelet = new StandInKubelet(client, folder.resolve("pod"));
      Pod pod = kubelet.awaitPod(NAME);
      theObjectsAreThere(pod);

      Process training = IrisProgram.start(kubelet, pod, operator.host(), folder);
      NavigableSet<Integer> percents = new TreeSet<>();
      await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(300))
          .until(
              () -> {
                String percent = column("PROGRESS");
                if (!percent.isEmpty()) {
                  percents.add(Integer.valueOf(percent));
                }
                return percents.contains(100) || !training.isAlive();
              });
      assertThat(training.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(log()).contains("Accuracy on the 30 rows held out: ").doesNotContain("WARN");
      assertThat(training.exitValue()).isZero();

      await().atMost(LIMIT).until(() -> column("PROGRESS").equals("100"));
      assertThat(percents.lower(100)).as("progress on the way: %s", percents).isBetween(0, 99);
      assertThat(column("STATE")).isEmpty();
      kubelet.succeed(pod);
      await().atMost(LIMIT).until(() -> column("STATE").equals("Complete"));
      assertThat(column("PROGRESS")).isEqualTo("100");
    }
  }

  private void theObjectsAreThere(Pod pod) {
    assertThat(
            client
                .genericKubernetesResources("jobset.x-k8s.io/v1alpha2", "JobSet")
                .withName(NAME)
                .get())
        .isNotNull();
    assertThat(client.batch().v1().jobs().withName(NAME + "-node-0").get()).isNotNull();
    assertThat(pod.getSpec().getInitContainers())
        .extracting(Container::getImage)
        .containsExactly("registry.example/agent:1");
    assertThat(pod.getSpec().getContainers().get(0).getEnv())
        .extracting(EnvVar::getName)
        .contains(
            "JAVA_TOOL_OPTIONS",
            "KUBEFLOW_TRAINER_SERVER_URL",
            "KUBEFLOW_TRAINER_SERVER_CA_CERT",
            "KUBEFLOW_TRAINER_SERVER_TOKEN",
            "DJL_OFFLINE");
    List<VolumeProjection> files =
        pod.getSpec().getVolumes().stream()
            .filter(volume -> volume.getProjected() != null)
            .flatMap(volume -> volume.getProjected().getSources().stream())
            .toList();
    assertThat(files).extracting("configMap.name").contains(NAME + "-tls-config");
    assertThat(files)
        .extracting("serviceAccountToken.audience")
        .contains(new TrainJobKey(client.getNamespace(), NAME).audience());
  }

  private String log() throws IOException {
    return Files.readString(folder.resolve("log"));
  }

  /** A column of what {@code kubectl get trainjob} prints; empty: nothing in it. */
  private String column(String title) {
    List<String> lines =
        cluster
            .kubectl(
                "--cache-dir=" + folder.resolve("kubectl"),
                "--namespace=" + client.getNamespace(),
                "get",
                "trainjob",
                NAME)
            .lines()
            .toList();
    int begin = lines.get(0).indexOf(title);
    assertThat(begin).as(lines.toString()).isNotNegative();
    String rest = lines.get(1).substring(Math.min(begin, lines.get(1).length()));
    return rest.startsWith(" ") ? "" : rest.split(" ", 2)[0];
  }

  private HasMetadata parse(String yaml) {
    return client.getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class);
  }
}
