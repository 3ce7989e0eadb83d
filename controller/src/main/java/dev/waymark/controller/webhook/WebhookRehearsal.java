package dev.waymark.controller.webhook;

import dev.waymark.controller.SampleTrainJob;
import dev.waymark.plan.ClusterSettings;
import dev.waymark.status.http.HttpAnswer;
import dev.waymark.status.http.RequestHead;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks webhooks of its own about the sample, as an API server does when a user creates one. */
final class WebhookRehearsal {

  private static final Duration LIMIT = Duration.ofSeconds(8);

  private static final String QUESTION =
      """
      {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
        "uid": "sample", "operation": "CREATE", "namespace": "sample", "name": "sample",
        "kind": {"group": "trainer.kubeflow.org", "version": "v1alpha1", "kind": "TrainJob"},
        "userInfo": {"username": "sample", "groups": ["system:authenticated"]},
        "options": {"kind": "CreateOptions", "apiVersion": "meta.k8s.io/v1"},
        "object": %s}}
      """
          .formatted(SampleTrainJob.JSON);

  private final List<String> paths;
  private final WebhookEndpoint endpoint;

  WebhookRehearsal() {
    Map<String, Webhook> webhooks = WebhookServer.webhooks(new OneRuntime(), Clock.systemUTC());
    paths = webhooks.keySet().stream().filter(path -> path.endsWith("-trainjob")).toList();
    endpoint = new WebhookEndpoint(webhooks, Runnable::run, LIMIT);
  }

  /** Asks all webhooks of TrainJobs; returns what they answered. */
  List<HttpAnswer> ask() {
    return paths.stream().map(this::ask).toList();
  }

  private HttpAnswer ask(String path) {
    RequestHead head = new RequestHead("POST", path, QUESTION.length(), null);
    return endpoint.answer(head, () -> Future.succeededFuture(Buffer.buffer(QUESTION))).result();
  }

  /** A cluster that has the sample's runtime and nothing else. */
  private static final class OneRuntime implements AdmissionState {

    private final RuntimeResource runtime = SampleTrainJob.runtime();
    private final ClusterSettings settings = SampleTrainJob.settings();

    @Override
    public Optional<RuntimeResource> runtime(TrainJob trainJob) {
      return Optional.of(runtime);
    }

    @Override
    public Optional<RuntimeResource> runtimeOfStored(TrainJob trainJob) {
      return Optional.of(runtime);
    }

    @Override
    public Optional<JobSet> jobSet(TrainJob trainJob) {
      return Optional.empty();
    }

    @Override
    public ClusterSettings settings() {
      return settings;
    }
  }
}
