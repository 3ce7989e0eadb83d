package dev.waymark.controller.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.controller.ControllerConfiguration;
import dev.waymark.controller.FakeApiServer;
import dev.waymark.controller.FakeApiServer.Write;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.processing.retry.Retry;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/**
 * The reconcilers with the whole framework on an API server in memory, which has a runtime called
 * plain. There is at most one TrainJob: demo, in team-a.
 */
abstract class OnFakeApiServer {

  static final String TRAINER = "/apis/trainer.kubeflow.org/v1alpha1";
  static final String TRAINJOB = TRAINER + "/namespaces/team-a/trainjobs/demo";
  static final String JOBSET = "/apis/jobset.x-k8s.io/v1alpha2/namespaces/team-a/jobsets/demo";
  static final String POD = "/spec/replicatedJobs/0/template/spec/template/spec";
  static final String CONFIGMAPS = "/api/v1/namespaces/team-a/configmaps/";
  static final String SNAPSHOT = CONFIGMAPS + "demo-runtime-snapshot";
  static final String TLS_CONFIG = CONFIGMAPS + "demo-tls-config";
  static final String RUNTIME = TRAINER + "/clustertrainingruntimes/plain";

  /** Of the TrainJob. */
  static final String UID = "1-2-3";

  final FakeApiServer apiServer = new FakeApiServer();
  private final Vertx vertx = Vertx.vertx();
  private final List<String> fatal = new CopyOnWriteArrayList<>();
  final Observed observed = new Observed();
  final Trusted trusted = new Trusted();
  KubernetesClient client;
  Reconcilers reconcilers;

  /** What is looked at lies in memory, and many looks follow each other. */
  @BeforeAll
  static void lookOften() {
    Awaitility.setDefaultPollInterval(Duration.ofMillis(10));
  }

  @AfterAll
  static void lookAsOthersDo() {
    Awaitility.reset();
  }

  @BeforeEach
  void prepare() {
    apiServer.put(
        RUNTIME,
        """
        {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "ClusterTrainingRuntime",
         "metadata": {"name": "plain"},
         "spec": {"mlPolicy": {"numNodes": 1}, "template": {"spec": {"replicatedJobs": [{
           "name": "node", "template": {
             "metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
             "spec": {"template": {"spec": {"containers": [
               {"name": "node", "image": "registry.example/app:1"}]}}}}}]}}}}
        """);
    client = client();
    reconcilers = reconcilers();
  }

  @AfterEach
  void stop() {
    reconcilers.close();
    client.close();
    vertx.close();
    apiServer.close();
    assertThat(fatal).isEmpty();
  }

  void createTrainJob(String more) {
    createTrainJob("{}", more);
  }

  void createTrainJob(String annotations, String more) {
    String runtimeRef = more.contains("runtimeRef") ? "" : "\"runtimeRef\": {\"name\": \"plain\"}";
    String separator = more.isEmpty() || runtimeRef.isEmpty() ? "" : ", ";
    apiServer.put(
        TRAINJOB,
        "{\"apiVersion\": \"trainer.kubeflow.org/v1alpha1\", \"kind\": \"TrainJob\", \"metadata\":"
            + " {\"name\": \"demo\", \"namespace\": \"team-a\", \"uid\": \""
            + UID
            + "\", \"annotations\": "
            + annotations
            + "}, \"spec\": {"
            + runtimeRef
            + separator
            + more
            + "}}");
  }

  /** As the JobSet controller says it when all pods have succeeded. */
  void complete() {
    apiServer.change(
        JOBSET,
        """
        {"status": {"conditions": [{"type": "Completed", "status": "True",
            "reason": "AllJobsCompleted", "message": "jobset completed successfully",
            "lastTransitionTime": "2026-01-02T03:04:05Z"}]}}
        """);
  }

  String uid(String path) {
    return apiServer.get(path).orElseThrow().at("/metadata/uid").asText();
  }

  JsonNode trainJob() {
    return apiServer.get(TRAINJOB).orElseThrow();
  }

  /** Status of a condition; empty without one. */
  String condition(String type) {
    for (JsonNode condition : trainJob().at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition.path("status").asText();
      }
    }
    return "";
  }

  /** What the events have said, in their order. */
  List<String> events() {
    return apiServer.writes().stream()
        .filter(write -> write.method().equals("POST") && write.path().endsWith("/events"))
        .map(
            write ->
                write.body().path("reason").asText() + ": " + write.body().path("message").asText())
        .toList();
  }

  List<String> paths(String method) {
    return apiServer.writes().stream()
        .filter(write -> write.method().equals(method))
        .map(Write::path)
        .toList();
  }

  /** Waits until nothing has been written for a while. */
  void settle() {
    int[] last = {-1};
    await()
        .pollInterval(Duration.ofMillis(300))
        .until(
            () -> {
              int now = apiServer.writes().size();
              boolean quiet = now == last[0];
              last[0] = now;
              return quiet;
            });
  }

  private KubernetesClient client() {
    return new KubernetesClientBuilder()
        .withConfig(apiServer.clientConfiguration())
        .withHttpClientFactory(new VertxHttpClientFactory(vertx))
        .build();
  }

  Reconcilers reconcilers() {
    return reconcilers(ControllerConfiguration.DEFAULTS, Reconcilers.RETRY);
  }

  Reconcilers reconcilers(ControllerConfiguration configuration, Retry retry) {
    return new Reconcilers(
        client,
        configuration,
        new Reconcilers.Home("ops", "test"),
        trusted,
        Metrics.NOOP,
        observed,
        fatal::add,
        retry);
  }

  static final class Trusted implements TrustAnchors {
    /** Null: not known yet. */
    private volatile String pem = "certificate";

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    void change(String pem) {
      this.pem = pem;
      listeners.forEach(Runnable::run);
    }

    @Override
    public Optional<String> pem() {
      return Optional.ofNullable(pem);
    }

    @Override
    public void onChange(Runnable listener) {
      listeners.add(listener);
    }
  }

  static final class Observed implements TrainJobObserver {
    final List<Instant> seen = new CopyOnWriteArrayList<>();
    final List<String> finished = new CopyOnWriteArrayList<>();
    volatile Runnable whenSeen = () -> {};

    @Override
    public void startedLeading(KnownRuntimes runtimes, Stream<TrainJob> existing) {}

    @Override
    public void stoppedLeading() {}

    @Override
    public void seen(TrainJob trainJob) {
      seen.add(Instant.now());
      whenSeen.run();
    }

    @Override
    public void finished(TrainJob trainJob, TrainJobStatus status) {
      finished.add(trainJob.name());
    }

    @Override
    public void deleted(TrainJob trainJob) {}
  }
}
