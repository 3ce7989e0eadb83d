package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.controller.RunningController.Operator;
import dev.waymark.controller.StandInKubelet.Start;
import dev.waymark.testbed.OnCluster;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobStatus;
import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
      ClusterObjects.createRuntime(client, "plain", "{numNodes: 1}");
      ClusterObjects.createTrainJob(
          client, "demo", "plain", "trainer: {env: [{name: WAYMARK_INTERVAL, value: \"1\"}]}");
      StandInKubelet kubelet = new StandInKubelet(client, folder.resolve("pod"));
      Pod pod = kubelet.awaitPod("demo");

      Process training = start(kubelet.start(pod), operator.host());
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

      kubelet.succeed(pod);
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

  /** Starts what the container would, with its variables and files and nothing else. */
  private Process start(Start container, String host) throws IOException {
    Path hosts = Files.writeString(folder.resolve("hosts"), "127.0.0.1 " + host + "\n");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djdk.net.hosts.file=" + hosts,
            "-cp",
            System.getProperty("java.class.path"),
            TrainingProgram.class.getName());
    builder.environment().clear();
    builder.environment().putAll(container.environment());
    builder.redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile());
    return builder.start();
  }

  private static TrainJobStatus status(KubernetesClient client) {
    return client.resources(TrainJob.class).withName("demo").get().getStatus();
  }

  private static TrainerStatus trainerStatus(KubernetesClient client) {
    return status(client) == null ? null : status(client).trainerStatus();
  }
}
