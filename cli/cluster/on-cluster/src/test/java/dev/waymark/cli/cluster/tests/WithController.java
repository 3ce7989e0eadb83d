package dev.waymark.cli.cluster.tests;

import dev.waymark.cli.cluster.tests.Waymark.Outcome;
import dev.waymark.client.ClusterAccess;
import dev.waymark.client.TrainerClient;
import dev.waymark.controller.ClusterObjects;
import dev.waymark.controller.RunningController;
import dev.waymark.controller.RunningController.Operator;
import dev.waymark.controller.StandInKubelet;
import dev.waymark.status.TrainJobKey;
import dev.waymark.testbed.Cluster;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of client and commands on a real API server, with the controller, the real JobSet and a
 * runtime named rt. Pods run as a test has it.
 */
abstract class WithController {

  static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir static Path operatorFolder;

  static Operator operator;
  static RunningController controller;

  @TempDir Path folder;

  Cluster cluster;
  KubernetesClient admin;
  TrainerClient client;
  StandInKubelet kubelet;

  @BeforeAll
  static void startController(KubernetesClient own) throws Exception {
    Awaitility.setDefaultTimeout(LIMIT);
    operator = new Operator(own, operatorFolder);
    controller = new RunningController(operator, "");
  }

  @AfterAll
  static void stopController() {
    controller.close();
    operator.close();
    Awaitility.reset();
  }

  @BeforeEach
  void connect(Cluster shared, KubernetesClient own) {
    cluster = shared;
    admin = own;
    kubelet = new StandInKubelet(own, folder);
    client =
        TrainerClient.connect(
            ClusterAccess.standard()
                .withKubeconfig(shared.kubeconfig())
                .withNamespace(own.getNamespace()));
    ClusterObjects.createRuntime(own, "rt", "djl", "{numNodes: 1, torch: {}}", "");
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  /** Runs a command in the test's namespace. */
  final Outcome waymark(String... arguments) {
    String[] all = new String[arguments.length + 1];
    all[0] = arguments[0];
    all[1] = "--namespace=" + admin.getNamespace();
    System.arraycopy(arguments, 1, all, 2, arguments.length - 1);
    return new Waymark(cluster.kubeconfig()).run(all);
  }

  /**
   * Reports as the program of a pod of the TrainJob demo does.
   *
   * @return the endpoint's status
   */
  final int report(Pod pod, int percent) throws IOException, InterruptedException {
    Map<String, String> environment = kubelet.start(pod).environment();
    return controller
        .post(
            new TrainJobKey(admin.getNamespace(), "demo"),
            Files.readString(Path.of(environment.get("KUBEFLOW_TRAINER_SERVER_TOKEN"))),
            "{\"trainerStatus\":{\"progressPercentage\":"
                + percent
                + ",\"lastUpdatedTime\":\"2026-11-30T10:00:00Z\"}}")
        .statusCode();
  }
}
