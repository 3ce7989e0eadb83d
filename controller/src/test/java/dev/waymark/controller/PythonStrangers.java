package dev.waymark.controller;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.controller.RunningController.Operator;
import dev.waymark.testbed.Cluster;
import dev.waymark.testbed.OnCluster;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Kubeflow SDK and transformers' callback, as they are published, against this controller. They
 * are in Python and come over the network, so they run in the profile {@code strangers} only, which
 * installs them; what they do and expect is in {@code src/test/python}.
 */
@OnCluster
@Timeout(300)
class PythonStrangers {

  private static final Path PROGRAMS = Path.of("src/test/python");
  private static final Path PYTHON = Path.of("target/strangers/bin/python").toAbsolutePath();
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final String ASKS = "kubelet: ";

  private static final String TORCH = "{numNodes: 1, torch: {}}";

  /** The SDK fails for a runtime whose limits name no device. */
  private static final String CPUS = "resources: {limits: {cpu: '2'}}";

  @TempDir Path folder;

  private Cluster cluster;
  private KubernetesClient client;
  private StandInKubelet kubelet;

  @BeforeEach
  void useCluster(Cluster shared, KubernetesClient own) throws IOException {
    cluster = shared;
    client = own;
    kubelet = new StandInKubelet(client, Files.createDirectory(folder.resolve("pod")));
  }

  @Test
  void theSdkLeadsTrainJobs() throws Exception {
    run("sdk.py");
  }

  @Test
  void theCallbackOfTransformersReports() throws Exception {
    run("callback.py", "called-back");
  }

  /** Runs a program to its good end, beside a controller. */
  private void run(String program, String... arguments) throws Exception {
    try (Operator operator = new Operator(client, Files.createDirectory(folder.resolve("ops")));
        RunningController controller =
            new RunningController(
                operator, "agentInjection: {image: \"registry.example/agent:1\"}\n")) {
      controller.installWebhooks();
      ClusterObjects.createRuntime(client, "torch", "torch", TORCH, CPUS);
      ClusterObjects.createRuntime(
          client,
          "options-from-elsewhere",
          "torch",
          TORCH,
          CPUS
              + ", env: [{name: JAVA_TOOL_OPTIONS, valueFrom: {configMapKeyRef:"
              + " {name: jvm, key: options}}}]");
      for (String trainJob : arguments) {
        ClusterObjects.createTrainJob(client, trainJob, "torch", "");
      }
      Process process = start(program, arguments);
      String said = converse(process);
      assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(said).isZero();
      assertThat(controller.fatal()).isEmpty();
    }
  }

  private Process start(String program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(PYTHON.toString()));
    command.add(PROGRAMS.resolve(program).toAbsolutePath().toString());
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder
        .environment()
        .putAll(
            Map.of(
                "KUBECONFIG", cluster.kubeconfig().toString(),
                "NAMESPACE", client.getNamespace(),
                "HOME", folder.toString(),
                "HF_HUB_OFFLINE", "1",
                "PYTHONDONTWRITEBYTECODE", "1"));
    return builder.redirectErrorStream(true).start();
  }

  /** Does what the program asks for until it ends, and returns what else it said. */
  private String converse(Process process) throws IOException {
    StringBuilder said = new StringBuilder();
    try (BufferedReader lines = process.inputReader(UTF_8);
        PrintStream answers = new PrintStream(process.getOutputStream(), true, UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(ASKS)) {
          String[] words = line.substring(ASKS.length()).split(" ");
          answers.println(client.getKubernetesSerialization().asJson(answer(words[0], words[1])));
        } else {
          said.append(line).append('\n');
        }
      }
    }
    return said.toString();
  }

  private Object answer(String asked, String trainJob) throws IOException {
    Pod first = kubelet.awaitPod(trainJob);
    switch (asked) {
      case "pods-are-there" -> {}
      case "run" -> pods(trainJob).forEach(kubelet::run);
      case "succeed" -> pods(trainJob).forEach(kubelet::succeed);
      case "start" -> {
        return kubelet.start(first).environment();
      }
      case "stored" -> {
        TrainJobStatus status =
            client.resources(TrainJob.class).withName(trainJob).get().getStatus();
        return status.trainerStatus();
      }
      default -> throw new IllegalArgumentException(asked);
    }
    return "done";
  }

  /** All pods of a TrainJob, once its Job says that it has made them. */
  private List<Pod> pods(String trainJob) {
    int wanted =
        client.batch().v1().jobs().withName(trainJob + "-node-0").get().getSpec().getParallelism();
    return await()
        .atMost(LIMIT)
        .until(() -> ClusterObjects.pods(client, trainJob), pods -> pods.size() == wanted);
  }
}
