package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.trainer.api.CustomResourceDefinitions;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The types that a controller lives by go, or let through what nobody can read. */
abstract class TypeFaults {

  private static final String TRAINJOBS = "trainjobs.trainer.kubeflow.org";
  private static final String RUNTIMES = "trainingruntimes.trainer.kubeflow.org";

  private final FaultyCluster cluster;
  private RunningController controller;

  TypeFaults(FaultyCluster cluster) {
    this.cluster = cluster;
  }

  @AfterEach
  void close() {
    controller.close();
  }

  @Test
  void servesTrainJobsAfterTheirTypesWereDeletedAndCreatedAgain() throws Exception {
    controller = cluster.startController("");
    cluster.createTrainJob("of-old");
    cluster.awaitJobSet("of-old");

    delete(TRAINJOBS);
    // Nothing is in use any more, so the controller lets go of the runtimes.
    delete(RUNTIMES);
    cluster.operator().installTypes();
    await().ignoreExceptions().until(this::createRuntime);
    cluster.createTrainJob("of-new");

    cluster.awaitJobSet("of-new");
    assertThat(controller.fatal()).isEmpty();
    assertThat(controller.probe("healthz").statusCode()).isEqualTo(200);
    await().until(() -> controller.probe("readyz").statusCode() == 200);
  }

  private boolean createRuntime() {
    cluster.createRuntime();
    return true;
  }

  private void delete(String type) {
    Resource<CustomResourceDefinition> stored =
        client().apiextensions().v1().customResourceDefinitions().withName(type);
    stored.delete();
    await().until(() -> stored.get() == null);
  }

  /**
   * As after a schema of another version, or one that somebody made lax. Webhooks would refuse
   * them.
   */
  @Test
  void trainJobsThatNobodyCanReadHinderNoOthers() throws Exception {
    Map<String, String> unreadable =
        Map.of(
            "number", "spec: {runtimeRef: {name: plain}, trainer: {numNodes: many}}",
            "list", "spec: [1, 2]",
            "text", "spec: what you like",
            "name", "spec: {runtimeRef: {name: [plain]}}",
            "empty", "spec: {}",
            "nothing", "other: {}");
    controller = new RunningController(cluster.operator(), "");
    letAnythingThrough();
    try {
      unreadable.forEach((name, fields) -> client().resource(trainJob(name, fields)).create());
      cluster.createTrainJob("beside-them", "suspend: true");
      patchStatus("beside-them", "{\"status\": {\"conditions\": 5}}");
      cluster.createTrainJob("after-them");
      cluster.awaitJobSet("after-them");
      await()
          .untilAsserted(
              () -> assertThat(warned()).contains("number", "list", "text", "name", "empty"));

      controller.close();
      controller = new RunningController(cluster.operator(), "");
      cluster.createTrainJob("known-after-them");
      cluster.awaitJobSet("known-after-them");
      assertThat(controller.fatal()).isEmpty();
    } finally {
      unreadable.keySet().forEach(name -> anyTrainJob(name).delete());
      anyTrainJob("beside-them").delete();
      cluster.operator().installTypes();
    }
  }

  private void letAnythingThrough() {
    CustomResourceDefinition type =
        client()
            .getKubernetesSerialization()
            .unmarshal(CustomResourceDefinitions.yaml(TRAINJOBS), CustomResourceDefinition.class);
    JSONSchemaProps anything =
        new JSONSchemaPropsBuilder()
            .withType("object")
            .withXKubernetesPreserveUnknownFields(true)
            .build();
    type.getSpec()
        .getVersions()
        .forEach(version -> version.getSchema().setOpenAPIV3Schema(anything));
    client().resource(type).forceConflicts().serverSideApply();
    // The API server takes a schema up a moment later.
    await()
        .ignoreExceptions()
        .until(() -> client().resource(trainJob("tried", "spec: 5")).dryRun().create() != null);
  }

  private GenericKubernetesResource trainJob(String name, String fields) {
    return client()
        .getKubernetesSerialization()
        .unmarshal(
            """
            apiVersion: trainer.kubeflow.org/v1alpha1
            kind: TrainJob
            metadata: {name: %s}
            %s
            """
                .formatted(name, fields),
            GenericKubernetesResource.class);
  }

  private void patchStatus(String name, String patch) {
    anyTrainJob(name).subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  private Resource<GenericKubernetesResource> anyTrainJob(String name) {
    return client()
        .genericKubernetesResources("trainer.kubeflow.org/v1alpha1", "TrainJob")
        .withName(name);
  }

  /** The TrainJobs of which an event says that something is wrong. */
  private Set<String> warned() {
    return client().v1().events().list().getItems().stream()
        .filter(event -> event.getType().equals("Warning"))
        .filter(event -> event.getInvolvedObject().getKind().equals("TrainJob"))
        .map(event -> event.getInvolvedObject().getName())
        .collect(Collectors.toSet());
  }

  private KubernetesClient client() {
    return cluster.client();
  }
}
