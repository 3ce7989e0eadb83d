package dev.waymark.controller.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waymark.conformance.GoldenCase;
import dev.waymark.status.tls.CertificateAuthority;
import dev.waymark.status.tls.Pem;
import dev.waymark.status.tls.ServerIdentity;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainingRuntime;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A release in the place of upstream's: what that one made goes on as it is. */
class TakeOverIT extends OnRelease {

  private static final GoldenCase UPSTREAMS = GoldenCase.named("suspend-create-resume");
  private static final String SECRET = "kubeflow-trainer-webhook-cert";

  @Test
  void trainJobsGoOnAndNothingIsRenderedAnew() throws Exception {
    client.resource(read(UPSTREAMS.objects(), TrainingRuntime.class)).create();
    upstreamMade("running", false);
    upstreamMade("suspended", true);
    upstreamMade("finished", true);
    finish();
    // What the runtime says now must reach none of them.
    runtime().patch(MERGE, "{\"spec\": {\"mlPolicy\": {\"numNodes\": 7}}}");
    List<JsonNode> before = List.of(jobs("running"), jobs("suspended"), jobs("finished"));

    release.isNamed("kubeflow-trainer");
    release.install("--values=" + Helm.CHART.resolve("ci/upstream-names-values.yaml"));
    try (ReleasedController controller = release.controller()) {
      controller.startUp();
      release.reachWebhooks();
      // Pods go on to trust whoever answers under the name that they were told.
      soon().until(() -> !authority("running").equals("of upstream"));
      resume("suspended");
      soon().until(() -> !jobSet("suspended").isSuspended());
    }

    assertThat(List.of(jobs("running"), jobs("suspended"), jobs("finished"))).isEqualTo(before);
    assertThat(jobSet("running").isSuspended()).isFalse();
    assertThat(jobSet("finished").isSuspended()).isTrue();
  }

  /** Upstream's release takes its Secret along, so operators put it back. */
  @Test
  void runningPodsGoOnToTrustWhomTheyWereTold() throws Exception {
    Secret upstreams = client.resource(upstreamsSecret()).create();
    String text =
        release.kubectl(
            "get", "secret", SECRET, "--namespace=" + release.namespace(), "--output=yaml");
    Path saved = Files.writeString(folder.resolve("certificate.yaml"), text);
    client.resource(upstreams).delete();
    release.kubectl("create", "--filename=" + saved);

    release.isNamed("kubeflow-trainer");
    release.install("--values=" + Helm.CHART.resolve("ci/upstream-names-values.yaml"));
    try (ReleasedController controller = release.controller()) {
      controller.startUp();
    }

    assertThat(client.secrets().withName(SECRET).get().getData()).isEqualTo(upstreams.getData());
    assertThat(release.authorities()).hasSize(4).containsOnly(upstreams.getData().get("ca.crt"));
  }

  private Secret upstreamsSecret() {
    Instant now = Instant.now();
    CertificateAuthority authority =
        CertificateAuthority.create(
            "CN=kubeflow-trainer-ca,O=kubeflow-trainer", Duration.ofDays(3650), now);
    String host = "kubeflow-trainer-controller-manager." + release.namespace() + ".svc";
    ServerIdentity server = authority.issue(List.of(host), Duration.ofDays(365), now);
    return new SecretBuilder()
        .withNewMetadata()
        .withName(SECRET)
        .addToLabels("app.kubernetes.io/managed-by", "Helm")
        .addToAnnotations("meta.helm.sh/release-name", "kubeflow-trainer")
        .endMetadata()
        .addToStringData("ca.crt", Pem.of(List.of(authority.certificate())))
        .addToStringData("ca.key", Pem.of(authority.key()))
        .addToStringData("tls.crt", Pem.of(List.of(server.leaf())))
        .addToStringData("tls.key", Pem.of(server.key()))
        .build();
  }

  /** Makes a TrainJob's objects as the record has them. */
  private void upstreamMade(String name, boolean suspended) {
    String trainJob =
        UPSTREAMS
            .trainJobs()
            .replace("name: demo", "name: " + name)
            .replace("suspend: true", "suspend: " + suspended);
    String uid = client.resource(read(trainJob, TrainJob.class)).create().getMetadata().getUid();
    ObjectNode jobSet = recorded("JobSet/demo", name);
    jobSet.remove("status");
    jobSet.withObject("/spec").put("suspend", suspended);
    ObjectNode snapshot = recorded("ConfigMap/demo-runtime-snapshot", name);
    ObjectNode runtime = (ObjectNode) snapshot.at("/data/runtime/<yaml>");
    runtime.remove("<has managedFields>");
    snapshot.withObject("/data").put("runtime", runtime.toString());
    ObjectNode authority = recorded("ConfigMap/demo-tls-config", name);
    authority.withObject("/data").put("ca.crt", "of upstream");
    for (ObjectNode object : List.of(jobSet, snapshot, authority)) {
      if (!object.has("apiVersion")) {
        object.put("apiVersion", "v1");
      }
      ((ObjectNode) object.at("/metadata/ownerReferences/0")).put("uid", uid);
      client
          .resource(read(object.toString(), GenericKubernetesResource.class))
          .fieldManager("trainer")
          .serverSideApply();
    }
  }

  private ObjectNode recorded(String object, String name) {
    String text =
        UPSTREAMS
            .after(0)
            .path("objects")
            .path(object)
            .toString()
            .replaceAll("\\bdemo\\b", name)
            .replace(UPSTREAMS.name(), release.namespace());
    return (ObjectNode) Manifest.yaml(text);
  }

  private void finish() {
    String condition =
        """
        {"status": {"conditions": [{"type": "%s", "status": "True", "reason": "AllJobsCompleted",
          "message": "done", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}
        """;
    client
        .resources(JobSet.class)
        .withName("finished")
        .subresource("status")
        .patch(MERGE, condition.formatted("Completed"));
    client
        .resources(TrainJob.class)
        .withName("finished")
        .subresource("status")
        .patch(MERGE, condition.formatted("Complete"));
  }

  private Resource<TrainingRuntime> runtime() {
    return client.resources(TrainingRuntime.class).withName("rt");
  }

  /** All of a JobSet that can't be changed, as it is now. */
  private JsonNode jobs(String jobSet) {
    return Manifest.yaml(client.getKubernetesSerialization().asJson(jobSet(jobSet)))
        .at("/spec/replicatedJobs");
  }

  private String authority(String trainJob) {
    return client.configMaps().withName(trainJob + "-tls-config").get().getData().get("ca.crt");
  }
}
