package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.controller.RunningController.Operator;
import dev.waymark.testbed.Cluster;
import dev.waymark.testbed.Cluster.Part;
import dev.waymark.testbed.NeedsTestbed;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainingRuntime;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The controller while its cluster fails around it. */
@NeedsTestbed
class ControllerFaultsIT {

  private static final String ELECTION =
      """
      leaderElection:
        {leaderElect: true, resourceName: it, leaseDuration: 3s, renewDeadline: 2s, retryPeriod: 500ms}
      """;

  @TempDir static Path folder;

  private static Cluster cluster;
  private static KubernetesClient client;
  private static Operator operator;

  private RunningController controller;

  @BeforeAll
  static void start() throws Exception {
    Awaitility.setDefaultTimeout(Duration.ofMinutes(2));
    cluster = Cluster.start();
    client = cluster.newClient();
    operator = new Operator(client, folder);
    create(
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
  }

  @AfterAll
  static void stop() {
    operator.close();
    client.close();
    cluster.close();
    Awaitility.reset();
  }

  @AfterEach
  void close() {
    controller.close();
  }

  @Test
  void servesNewTrainJobsAfterTheApiServerWasAway() throws Exception {
    controller = new RunningController(operator, "");
    createTrainJob("before");
    awaitJobSet("before");

    cluster.stop(Part.API_SERVER);
    await().until(() -> controller.probe("readyz").statusCode() == 503);
    assertThat(controller.probe("healthz").statusCode()).isEqualTo(200);
    cluster.start(Part.API_SERVER);

    await().ignoreExceptions().until(() -> client.namespaces().withName("default").get() != null);
    createTrainJob("after");
    awaitJobSet("after");
    await().until(() -> controller.probe("readyz").statusCode() == 200);
    assertThat(controller.fatal()).isEmpty();
  }

  @Test
  void waitsForAnApiServerWhoseEtcdIsSilent() throws Exception {
    controller = new RunningController(operator, "");
    createTrainJob("talking");
    awaitJobSet("talking");

    cluster.pause(Part.ETCD);
    await().during(Duration.ofSeconds(5)).until(() -> controller.fatal().isEmpty());
    cluster.resume(Part.ETCD);

    await().ignoreExceptions().until(() -> client.namespaces().withName("default").get() != null);
    createTrainJob("again");
    awaitJobSet("again");
    assertThat(controller.fatal()).isEmpty();
  }

  @Test
  void givesUpWhenAnotherReplicaTookTheLead() throws Exception {
    controller = new RunningController(operator, ELECTION);
    createTrainJob("led");
    awaitJobSet("led");

    client
        .resources(Lease.class)
        .withName("it")
        .edit(
            lease -> {
              lease.getSpec().setHolderIdentity("a thief");
              lease.getSpec().setLeaseDurationSeconds(3600);
              return lease;
            });

    await().until(() -> controller.fatal().isPresent());
    assertThat(controller.fatal()).contains("leadership is lost");
    assertThat(controller.metrics()).doesNotContain("kubeflow_trainer_");
    client.resources(Lease.class).withName("it").delete();
  }

  @Test
  void handsTheLeadOverWhenItEnds() throws Exception {
    controller = new RunningController(operator, ELECTION.replace("3s", "600s"));
    RunningController other = new RunningController(operator, ELECTION.replace("3s", "600s"));
    try {
      assertThat(other.metrics()).doesNotContain("kubeflow_trainer_");

      controller.close();

      await().until(() -> other.metrics().contains("kubeflow_trainer_"));
      createTrainJob("heir");
      awaitJobSet("heir");
    } finally {
      other.close();
      client.resources(Lease.class).withName("it").delete();
    }
  }

  /** Whoever comes next finds objects half made and completes them, without a second of any. */
  @Test
  void completesWhatAnEarlierControllerLeftHalfMade() throws Exception {
    controller = new RunningController(operator, "");
    createTrainJob("half");
    awaitJobSet("half");
    String snapshot = version("half-runtime-snapshot");
    controller.close();
    client.resources(JobSet.class).withName("half").delete();
    client.configMaps().withName("half-tls-config").delete();
    await().until(() -> client.resources(JobSet.class).withName("half").get() == null);

    controller = new RunningController(operator, "");

    awaitJobSet("half");
    assertThat(client.configMaps().withName("half-tls-config").get()).isNotNull();
    assertThat(version("half-runtime-snapshot")).isEqualTo(snapshot);
  }

  private static String version(String configMap) {
    return client.configMaps().withName(configMap).get().getMetadata().getResourceVersion();
  }

  private static <T extends HasMetadata> void create(Class<T> type, String yaml) {
    client.resource(client.getKubernetesSerialization().<T>unmarshal(yaml, type)).create();
  }

  private static void createTrainJob(String name) {
    create(
        TrainJob.class,
        """
        apiVersion: trainer.kubeflow.org/v1alpha1
        kind: TrainJob
        metadata: {name: %s}
        spec: {runtimeRef: {kind: TrainingRuntime, name: plain}}
        """
            .formatted(name));
  }

  private static void awaitJobSet(String name) {
    await()
        .ignoreExceptions()
        .until(() -> client.resources(JobSet.class).withName(name).get() != null);
  }
}
