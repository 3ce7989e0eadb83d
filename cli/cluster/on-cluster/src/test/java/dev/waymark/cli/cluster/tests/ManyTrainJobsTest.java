package dev.waymark.cli.cluster.tests;

import static dev.waymark.cli.cluster.tests.TrainJobsOnFakeApiServer.PODS;
import static dev.waymark.cli.cluster.tests.TrainJobsOnFakeApiServer.TRAIN_JOBS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** 5,000 TrainJobs with a pod each, in a JVM that can't hold them all. */
class ManyTrainJobsTest {

  private static final int COUNT = 5_000;
  private static final int PAGE = 500;
  private static final String HEAP = "-Xmx64m";
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir Path folder;

  private TrainJobsOnFakeApiServer cluster;

  @BeforeEach
  void fill() throws IOException {
    cluster = new TrainJobsOnFakeApiServer(folder);
    cluster.runtime("rt");
    for (int i = 0; i < COUNT; i++) {
      cluster.api().put(TRAIN_JOBS + "/" + name(i), trainJob(name(i)));
      cluster.api().put(PODS + "/" + name(i) + "-node-0-0", pod(name(i)));
    }
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void areListedPageByPage() throws Exception {
    Process list = waymark("list");

    assertThat(list.waitFor()).as(err()).isZero();
    List<String> lines = out();
    assertThat(lines).hasSize(COUNT + 1);
    assertThat(lines.get(COUNT)).matches("job-4999 +Running +42% .*");
    assertThat(cluster.api().reads(TRAIN_JOBS)).isEqualTo(COUNT / PAGE);
    assertThat(cluster.api().reads(PODS)).isEqualTo(COUNT / PAGE);
  }

  /** The list is read again for each change: what it holds must not grow with them. */
  @Test
  void areWatchedAndNothingOfThemIsKeptButWhatIsShown() throws Exception {
    Process watch = waymark("watch");
    try {
      await().atMost(LIMIT).until(() -> out().size() == COUNT || !watch.isAlive());
      for (int percent = 43; percent <= 44; percent++) {
        String changed = "job-4242: Running, " + percent + "%";
        cluster.change(
            "job-4242", "status: {trainerStatus: {progressPercentage: " + percent + "}}");
        await().atMost(LIMIT).until(() -> last().startsWith(changed) || !watch.isAlive());
        assertThat(watch.isAlive()).as(err()).isTrue();
      }
      assertThat(out()).as("one line a change").hasSize(COUNT + 2);
    } finally {
      watch.destroy();
      assertThat(watch.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  /** The command in a JVM of its own, which ends when its heap is full. */
  private Process waymark(String command) throws IOException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(
        List.of(
            HEAP,
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+ExitOnOutOfMemoryError",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            command,
            "--kubeconfig=" + cluster.kubeconfig()));
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().remove("TERM");
    return builder
        .redirectOutput(folder.resolve("out").toFile())
        .redirectError(folder.resolve("err").toFile())
        .start();
  }

  private List<String> out() throws IOException {
    return Files.readAllLines(folder.resolve("out"));
  }

  private String last() throws IOException {
    List<String> lines = out();
    return lines.get(lines.size() - 1);
  }

  private String err() throws IOException {
    return Files.readString(folder.resolve("err"));
  }

  private static String name(int number) {
    return "job-%04d".formatted(number);
  }

  /** As large as they are in clusters: 2 KB. */
  private static String trainJob(String name) {
    return """
    {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob",
     "metadata": {"name": "%s", "namespace": "team-a", "labels": {"team": "a", "why": "%s"}},
     "spec": {"runtimeRef": {"name": "rt"}, "trainer": {"numNodes": 1, "image": "registry.example/app:1",
       "command": ["java", "-jar", "/app.jar", "--epochs", "20"],
       "env": [{"name": "A", "value": "%s"}, {"name": "B", "value": "b"}],
       "resourcesPerNode": {"limits": {"nvidia.com/gpu": "1", "memory": "16Gi"},
         "requests": {"nvidia.com/gpu": "1", "memory": "16Gi"}}}},
     "status": {
       "jobsStatus": [{"name": "node", "ready": 1, "succeeded": 0, "failed": 0, "active": 1,
         "suspended": 0}],
       "trainerStatus": {"progressPercentage": 42, "lastUpdatedTime": "2026-11-30T10:00:00Z",
         "metrics": [{"name": "loss", "value": "0.25"}, {"name": "current_step", "value": "420"},
           {"name": "total_steps", "value": "1000"}, {"name": "note", "value": "%s"}]}}}
    """
        .formatted(name, "x".repeat(63), "y".repeat(900), "z".repeat(60));
  }

  private static String pod(String name) {
    return """
    {"apiVersion": "v1", "kind": "Pod",
     "metadata": {"name": "%1$s-node-0-0", "namespace": "team-a",
       "labels": {"jobset.sigs.k8s.io/jobset-name": "%1$s",
         "jobset.sigs.k8s.io/replicatedjob-name": "node",
         "batch.kubernetes.io/job-completion-index": "0"}},
     "spec": {"containers": [{"name": "node", "image": "registry.example/app:1",
       "env": [{"name": "A", "value": "%2$s"}],
       "resources": {"limits": {"nvidia.com/gpu": "1", "memory": "16Gi"}}}]},
     "status": {"phase": "Running"}}
    """
        .formatted(name, "y".repeat(900));
  }
}
