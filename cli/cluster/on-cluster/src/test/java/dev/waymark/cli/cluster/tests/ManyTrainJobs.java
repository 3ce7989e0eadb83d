package dev.waymark.cli.cluster.tests;

import static dev.waymark.cli.cluster.tests.TrainJobsOnFakeApiServer.PODS;
import static dev.waymark.cli.cluster.tests.TrainJobsOnFakeApiServer.TRAIN_JOBS;

import dev.waymark.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * 5,000 TrainJobs with a pod each on an API server in memory, and a command in a JVM that can't
 * hold them all.
 */
final class ManyTrainJobs implements AutoCloseable {

  static final int COUNT = 5_000;

  private final Path folder;
  private final TrainJobsOnFakeApiServer cluster;

  ManyTrainJobs(Path folder) throws IOException {
    this.folder = folder;
    this.cluster = new TrainJobsOnFakeApiServer(folder);
    cluster.runtime("rt");
    for (int i = 0; i < COUNT; i++) {
      cluster.api().put(TRAIN_JOBS + "/" + name(i), trainJob(name(i)));
      cluster.api().put(PODS + "/" + name(i) + "-node-0-0", pod(name(i)));
    }
  }

  TrainJobsOnFakeApiServer cluster() {
    return cluster;
  }

  /** A TrainJob's program has come so far. */
  void report(String name, int percent) {
    cluster.change(name, "status: {trainerStatus: {progressPercentage: " + percent + "}}");
  }

  /**
   * The command in a JVM of its own, which ends when its heap is full.
   *
   * @param heap as the JVM's option has it
   */
  Process waymark(String heap, String command) throws IOException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(
        List.of(
            heap,
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

  /** What the command has printed so far. */
  List<String> out() throws IOException {
    return Files.readAllLines(folder.resolve("out"));
  }

  String err() throws IOException {
    return Files.readString(folder.resolve("err"));
  }

  @Override
  public void close() {
    cluster.close();
  }

  static String name(int number) {
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
