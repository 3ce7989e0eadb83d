package dev.waymark.controller.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waymark.conformance.ConformanceFolder;
import dev.waymark.controller.ClusterObjects;
import dev.waymark.trainer.api.CustomResourceDefinitions;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobStatus;
import dev.waymark.trainer.api.TrainingRuntime;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the operator guide says to do for users, after a cluster is lost, and on the way back. */
class OperatorGuideIT extends OnRelease {

  @Test
  void usersGetTheirRights() {
    release.install("--set=userRoles.enabled=true");
    kubectl("create", "rolebinding", "editor", "--clusterrole=edit", "--user=editor");
    kubectl("create", "rolebinding", "viewer", "--clusterrole=view", "--user=viewer");

    soon().until(() -> may("editor", "create", "trainjobs"));
    soon().until(() -> may("viewer", "list", "trainjobs"));
    // What viewers may comes to editors by one step more.
    soon().until(() -> may("editor", "list", "trainingruntimes"));
    assertThat(may("editor", "delete", "trainjobs")).isTrue();
    assertThat(may("editor", "create", "trainingruntimes")).isFalse();
    assertThat(may("viewer", "create", "trainjobs")).isFalse();
    assertThat(may("stranger", "list", "trainjobs")).isFalse();
    assertThat(may("stranger", "list", "clustertrainingruntimes")).isTrue();
    assertThat(may("editor", "update", "clustertrainingruntimes")).isFalse();

    release.uninstall();
    soon().until(() -> !may("editor", "create", "trainjobs"));
  }

  private boolean may(String user, String verb, String resource) {
    SubjectAccessReview question =
        new SubjectAccessReviewBuilder()
            .withNewSpec()
            .withUser(user)
            .withGroups("system:authenticated")
            .withNewResourceAttributes()
            .withNamespace(release.namespace())
            .withVerb(verb)
            .withGroup("trainer.kubeflow.org")
            .withResource(resource)
            .endResourceAttributes()
            .endSpec()
            .build();
    return client
        .authorization()
        .v1()
        .subjectAccessReview()
        .create(question)
        .getStatus()
        .getAllowed();
  }

  @Test
  void aBackupBringsRuntimesAndTrainJobsBack() throws Exception {
    release.install();
    Path runtimes;
    Path trainJobs;
    List<JsonNode> specs;
    try (ReleasedController controller = release.controller()) {
      controller.startUp();
      release.reachWebhooks();
      createRuntime();
      List.of("running", "finished").forEach(name -> createTrainJob(name, false));
      createTrainJob("waiting", true);
      soon().until(() -> Stream.of("running", "finished", "waiting").allMatch(this::hasJobSet));
      finish("finished");
      specs = specs();

      runtimes = save("trainingruntimes", "--selector=app.kubernetes.io/managed-by!=Helm");
      trainJobs = save("trainjobs");
      client.resources(TrainJob.class).delete();
      soon().until(() -> client.resources(JobSet.class).list().getItems().isEmpty());
    }
    client.resources(TrainingRuntime.class).delete();
    soon().until(() -> client.resources(TrainingRuntime.class).list().getItems().isEmpty());
    release.uninstall();
    client.secrets().withName("waymark-webhook-cert").delete();

    release.install();
    try (ReleasedController controller = release.controller()) {
      controller.startUp();
      release.reachWebhooks();
      kubectl("apply", "--filename=" + runtimes);
      String suspended =
          kubectl(
              "patch",
              "--local",
              "--filename=" + trainJobs,
              "--type=merge",
              "--patch={\"spec\": {\"suspend\": true}}",
              "--output=json");
      kubectl("apply", "--filename=" + write("suspended.json", suspended));

      assertThat(specs()).isEqualTo(specs);
      soon().until(() -> Stream.of("running", "finished", "waiting").allMatch(this::hasJobSet));
      resume("running");
      soon().until(() -> !jobSet("running").isSuspended());
      assertThat(jobSet("finished").isSuspended()).isTrue();
      assertThat(jobSet("waiting").isSuspended()).isTrue();
    }
  }

  private Path save(String kind, String... more) throws IOException {
    String[] command =
        Stream.concat(Stream.of("get", kind, "--output=yaml"), Stream.of(more))
            .toArray(String[]::new);
    return write(kind + ".yaml", kubectl(command));
  }

  private Path write(String file, String text) throws IOException {
    return Files.writeString(folder.resolve(file), text);
  }

  /** What users wrote, but for suspend; by name. */
  private List<JsonNode> specs() {
    return Stream.of("finished", "running", "waiting")
        .map(name -> client.resources(TrainJob.class).withName(name).get())
        .map(trainJob -> (ObjectNode) json(trainJob).path("spec"))
        .map(spec -> spec.<JsonNode>without("suspend"))
        .toList();
  }

  /**
   * Its chart is stood in for by one with the objects that both make. The certificate's Secret
   * stays, so that what runs goes on to trust who has it.
   */
  @Test
  void kubeflowTrainerFindsItsOwnAgain() throws Exception {
    release.isNamed("kubeflow-trainer");
    release.install("--values=" + Helm.CHART.resolve("ci/upstream-names-values.yaml"));
    try (ReleasedController controller = release.controller()) {
      controller.startUp();
      release.reachWebhooks();
      createRuntime();
      createTrainJob("running", false);
      createTrainJob("finished", false);
      soon().until(() -> Stream.of("running", "finished").allMatch(this::hasJobSet));
      finish("finished");
    }
    List<String> before = identities();
    assertThat(before).hasSize(6);
    Map<String, String> certificate = certificate().getData();
    assertThat(certificate).containsKeys("ca.crt", "ca.key", "tls.crt", "tls.key");

    release.uninstall();
    try {
      release
          .helm()
          .succeed(
              List.of(
                  "install",
                  "kubeflow-trainer",
                  chartOfUpstream().toString(),
                  "--take-ownership",
                  "--namespace=" + release.namespace()));
      for (String type : CustomResourceDefinitions.names()) {
        kubectl(
            "apply",
            "--server-side",
            "--force-conflicts",
            "--filename=" + ConformanceFolder.PATH.resolve("crds/" + type + ".yaml"));
      }

      assertThat(identities()).isEqualTo(before);
      assertThat(certificate().getData()).isEqualTo(certificate);
      assertThat(state("finished")).contains("Complete");
      assertThat(jobSet("running").isSuspended()).isFalse();
      // Under whose name upstream applies, so that what it leaves out of a JobSet goes.
      assertThat(jobSet("running").getMetadata().getManagedFields())
          .extracting(ManagedFieldsEntry::getManager)
          .contains("trainer")
          .noneMatch(manager -> manager.startsWith("waymark"));
      // Nobody refuses anything any more.
      client.resource(trainJob("new", false)).dryRun().create();
    } finally {
      release
          .helm()
          .succeed(
              List.of(
                  "uninstall",
                  "kubeflow-trainer",
                  "--ignore-not-found",
                  "--namespace=" + release.namespace()));
      release.bringTypes();
    }
  }

  private Path chartOfUpstream() throws IOException {
    Path chart = Files.createDirectories(folder.resolve("kubeflow-trainer/templates")).getParent();
    Files.writeString(
        chart.resolve("Chart.yaml"), "{apiVersion: v2, name: kubeflow-trainer, version: 2.3.0}");
    Files.writeString(
        chart.resolve("templates/objects.yaml"),
        """
        apiVersion: v1
        kind: Secret
        metadata: {name: kubeflow-trainer-webhook-cert, namespace: "{{ .Release.Namespace }}"}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: kubeflow-trainer-public, namespace: "{{ .Release.Namespace }}"}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: kubeflow-trainer-config, namespace: "{{ .Release.Namespace }}"}
        ---
        apiVersion: v1
        kind: Service
        metadata:
          name: kubeflow-trainer-controller-manager
          namespace: "{{ .Release.Namespace }}"
        spec: {ports: [{name: status-server, port: 10443}]}
        ---
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingWebhookConfiguration
        metadata: {name: validator.trainer.kubeflow.org}
        webhooks: []
        """);
    return chart;
  }

  private Secret certificate() {
    return client.secrets().withName("kubeflow-trainer-webhook-cert").get();
  }

  /** Which objects of the TrainJobs are there, and how often what they are to be was changed. */
  private List<String> identities() {
    Stream<? extends HasMetadata> objects =
        Stream.of(
                client.resources(TrainJob.class).list().getItems(),
                client.resources(JobSet.class).list().getItems(),
                client.configMaps().list().getItems().stream()
                    .filter(map -> map.getMetadata().getName().endsWith("-runtime-snapshot"))
                    .toList())
            .flatMap(List::stream);
    return objects
        .map(HasMetadata::getMetadata)
        .map(it -> it.getName() + " " + it.getUid() + " " + it.getGeneration())
        .sorted()
        .toList();
  }

  private void createRuntime() {
    ClusterObjects.createRuntime(client, "own", "", "{numNodes: 2, torch: {}}", "");
  }

  private void createTrainJob(String name, boolean suspended) {
    client.resource(trainJob(name, suspended)).create();
  }

  private TrainJob trainJob(String name, boolean suspended) {
    return read(
        """
        apiVersion: trainer.kubeflow.org/v1alpha1
        kind: TrainJob
        metadata: {name: %s, labels: {team: vision}}
        spec:
          runtimeRef: {kind: TrainingRuntime, name: own}
          trainer: {numNodes: 1, args: ["--epochs", "3"]}
          suspend: %s
        """
            .formatted(name, suspended),
        TrainJob.class);
  }

  private JsonNode json(Object object) {
    return Manifest.yaml(client.getKubernetesSerialization().asJson(object));
  }

  /** Has the JobSet say that all is done, as it would once its pods had succeeded. */
  private void finish(String name) {
    client
        .resources(JobSet.class)
        .withName(name)
        .subresource("status")
        .patch(
            MERGE,
            """
            {"status": {"conditions": [{"type": "Completed", "status": "True", "reason": "AllJobsCompleted",
              "message": "done", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}
            """);
    soon().until(() -> state(name).filter("Complete"::equals).isPresent());
  }

  /** The type of the last condition, as kubectl shows it. */
  private Optional<String> state(String name) {
    return Optional.ofNullable(client.resources(TrainJob.class).withName(name).get().getStatus())
        .map(TrainJobStatus::conditions)
        .filter(conditions -> !conditions.isEmpty())
        .map(conditions -> conditions.get(conditions.size() - 1).getType());
  }

  private boolean hasJobSet(String name) {
    return jobSet(name) != null;
  }

  private String kubectl(String... arguments) {
    String[] command =
        Stream.concat(Stream.of("--namespace=" + release.namespace()), Stream.of(arguments))
            .toArray(String[]::new);
    return release.kubectl(command);
  }
}
