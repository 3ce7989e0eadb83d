package dev.waymark.controller;

import static org.awaitility.Awaitility.await;

import dev.waymark.controller.RunningController.Operator;
import dev.waymark.testbed.Cluster;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.TrainJob;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;

/** A cluster for tests that hurt it, with a runtime called {@code plain}. */
final class FaultyCluster implements AutoCloseable {

  static final String ELECTION =
      """
      leaderElection:
        {leaderElect: true, resourceName: it, leaseDuration: 3s, renewDeadline: 2s, retryPeriod: 500ms}
      """;

  private Cluster cluster;
  private KubernetesClient client;
  private Operator operator;

  /**
   * Starts it.
   *
   * @param folder for the files of its controllers, empty
   */
  void start(Path folder) throws Exception {
    cluster = Cluster.start();
    client = cluster.newClient();
    operator = new Operator(client, folder);
    createRuntime();
  }

  Cluster parts() {
    return cluster;
  }

  /** With every right. */
  KubernetesClient client() {
    return client;
  }

  Operator operator() {
    return operator;
  }

  /**
   * Starts a controller, and has the API server ask it about all that users do, as on a cluster of
   * theirs.
   */
  RunningController startController(String configuration) throws Exception {
    RunningController controller = new RunningController(operator, configuration);
    controller.installWebhooks();
    return controller;
  }

  void createRuntime() {
    ClusterObjects.createRuntime(client, "plain", "{numNodes: 1}");
  }

  void createTrainJob(String name) {
    createTrainJob(name, "");
  }

  void createTrainJob(String name, String more) {
    ClusterObjects.createTrainJob(client, name, "plain", more);
  }

  void suspend(String trainJob) {
    client
        .resources(TrainJob.class)
        .withName(trainJob)
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"suspend\": true}}");
  }

  /** Waits until the API server answers again. */
  void awaitAnswers() {
    await().ignoreExceptions().until(() -> client.namespaces().withName("default").get() != null);
  }

  void awaitJobSet(String name) {
    await().ignoreExceptions().until(() -> jobSet(name) != null);
  }

  /** The JobSet of a TrainJob, or null. */
  JobSet jobSet(String name) {
    return client.resources(JobSet.class).withName(name).get();
  }

  @Override
  public void close() {
    operator.close();
    client.close();
    cluster.close();
  }
}
