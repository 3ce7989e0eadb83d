package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.waymark.conformance.GoldenCase;
import dev.waymark.controller.RunningController.Operator;
import dev.waymark.testbed.OnCluster;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * JobSets that upstream's controller rendered, and an older version of this one, are suspended and
 * resumed as they are: neither JobSet's webhook nor this controller's refuses any of it, whatever
 * this version would make of the TrainJob today.
 */
@OnCluster
class OthersJobSetsIT {

  /**
   * The names of upstream's cases that are taken; {@code all} is what the profile thorough says.
   */
  private static final String CASES =
      System.getProperty(
          "waymark.test.jobsets",
          "torch-env-injection,xgboost-cpu,jvm-mpi,flux-basic,coscheduling-defaults,"
              + "jvm-agent-sidecars,init-dataset,patch-scheduling");

  /** Where JobSets are another owner's, end at once, or last for seconds only. */
  private static final Set<String> NOT_OF_USE =
      Set.of("jobset-name-taken", "plain-zero-nodes", "deadline");

  /**
   * Cases of whose TrainJobs nothing can be planned today: policies that this version doesn't run,
   * and what upstream should have refused.
   */
  private static final String NOT_PLANNED =
      "(flux|volcano|coscheduling|torchtune)-.*|gang-both|resources-accelerators"
          + "|patch-unknown-names|runtime-without-template";

  /** What an older version of this controller rendered, the planner's tests have, too. */
  private static final Path OLDER_JOBSET =
      Path.of("../planner/src/test/resources/dev/waymark/plan/older-jobset.json");

  private static final String OLDER_STATE =
      """
      objects:
        TrainingRuntime/rt:
          apiVersion: trainer.kubeflow.org/v1alpha1
          kind: TrainingRuntime
          metadata: {name: rt}
          spec:
            mlPolicy: {torch: {}}
            template:
              spec:
                replicatedJobs:
                - name: node
                  template:
                    metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
                    spec:
                      template: {spec: {containers: [{name: node, image: registry.example/app:2}]}}
        TrainJob/demo:
          apiVersion: trainer.kubeflow.org/v1alpha1
          kind: TrainJob
          metadata: {name: demo}
          spec:
            runtimeRef: {name: rt, kind: TrainingRuntime}
            trainer: {numNodes: 2}
      """;

  @TempDir Path folder;

  private final String run = UUID.randomUUID().toString().substring(0, 8);

  /** What was put into a namespace, and the JobSets there before the first change. */
  private record Stored(StoredState state, String namespace, Map<String, Object> templates) {}

  private final List<Stored> all = new ArrayList<>();

  private KubernetesClient client;

  @BeforeEach
  void useClient(KubernetesClient admin) {
    Awaitility.setDefaultTimeout(Duration.ofMinutes(3));
    client = admin;
  }

  @AfterEach
  void delete() {
    all.forEach(it -> client.namespaces().withName(it.namespace()).delete());
    client
        .admissionRegistration()
        .v1()
        .validatingWebhookConfigurations()
        .withName(client.getNamespace())
        .delete();
    Awaitility.reset();
  }

  @Test
  void upstreamsJobSetsAreSuspendedAndResumed() throws Exception {
    suspendAndResume(
        GoldenCase.all().stream()
            .filter(it -> CASES.equals("all") || List.of(CASES.split(",")).contains(it.name()))
            .filter(it -> !NOT_OF_USE.contains(it.name()))
            .map(it -> new StoredState(it.name(), it.after(0)))
            .filter(it -> !it.trainJobs().isEmpty())
            .toList());
  }

  @Test
  void aJobSetOfAnOlderVersionIsSuspendedAndResumed() throws Exception {
    JsonNode state = new ObjectMapper(new YAMLFactory()).readTree(OLDER_STATE);
    ObjectNode jobSet = (ObjectNode) new ObjectMapper().readTree(OLDER_JOBSET.toFile());
    ((ObjectNode) jobSet.get("metadata"))
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", TrainerApi.API_VERSION)
        .put("kind", "TrainJob")
        .put("name", "demo")
        .put("controller", true)
        .put("blockOwnerDeletion", true);
    ((ObjectNode) state.get("objects")).set("JobSet/demo", jobSet);

    suspendAndResume(List.of(new StoredState("older", state)));
  }

  /** All at once, since most of the time is the JobSet controller's. */
  private void suspendAndResume(List<StoredState> states) throws Exception {
    try (Operator operator = new Operator(client, folder)) {
      for (StoredState state : states) {
        String namespace = state.name() + "-" + run;
        state.create(client, namespace, Map.of("stored-for", client.getNamespace()));
        all.add(new Stored(state, namespace, templates(namespace)));
      }
      assertThat(all).isNotEmpty();
      try (RunningController controller = new RunningController(operator, "")) {
        register(operator, controller.endpoints());
        suspendAndResume();
        assertThat(controller.fatal()).isEmpty();
      }
    }
  }

  /** The webhook of TrainJobs, in this test's namespaces only, since others share the cluster. */
  private void register(Operator operator, ControllerEndpoints endpoints) {
    String configuration =
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingWebhookConfiguration
        metadata: {name: %1$s}
        webhooks:
        - name: validator.trainjob.trainer.kubeflow.org
          admissionReviewVersions: [v1]
          sideEffects: None
          failurePolicy: Fail
          namespaceSelector: {matchLabels: {stored-for: %1$s}}
          clientConfig:
            url: https://127.0.0.1:%2$d/validate-trainer-kubeflow-org-v1alpha1-trainjob
            caBundle: %3$s
          rules:
          - apiGroups: [trainer.kubeflow.org]
            apiVersions: [v1alpha1]
            operations: [UPDATE]
            resources: [trainjobs]
        """
            .formatted(client.getNamespace(), endpoints.webhookPort(), operator.authority());
    client
        .resource(
            client
                .getKubernetesSerialization()
                .unmarshal(configuration, ValidatingWebhookConfiguration.class))
        .create();
    await()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> tryToSpoil(all.get(0)))
                    .hasMessageContaining("denied the request"));
  }

  private void tryToSpoil(Stored stored) {
    trainJob(stored, stored.state().trainJobs().get(0))
        .dryRun()
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\": {\"runtimePatches\": [{\"manager\": \"plain\"}]}}");
  }

  private Resource<TrainJob> trainJob(Stored stored, String name) {
    return client.resources(TrainJob.class).inNamespace(stored.namespace()).withName(name);
  }

  private void suspendAndResume() {
    setSuspended(true);
    awaitSuspended(true);
    setSuspended(false);
    awaitSuspended(false);
    setSuspended(true);
    awaitSuspended(true);

    assertThat(all)
        .allSatisfy(it -> assertThat(templates(it.namespace())).isEqualTo(it.templates()));
    assertThat(warnings())
        .allSatisfy(
            event ->
                assertThat(event.getMessage())
                    .endsWith("stays as it is, and only suspending and resuming reach it"));
    assertThat(warnings())
        .extracting(event -> event.getMetadata().getNamespace().replace("-" + run, ""))
        .allMatch(it -> it.matches(NOT_PLANNED));
  }

  private void setSuspended(boolean suspend) {
    for (Stored stored : all) {
      for (String trainJob : stored.state().trainJobs()) {
        trainJob(stored, trainJob)
            .patch(
                PatchContext.of(PatchType.JSON_MERGE),
                "{\"spec\": {\"suspend\": " + suspend + "}}");
      }
    }
  }

  /** Waits until all JobSets are, and all TrainJobs say so; tells which are not. */
  private void awaitSuspended(boolean suspended) {
    await()
        .untilAsserted(
            () -> {
              assertThat(
                      all(JobSet.class)
                          .filter(it -> it.isSuspended() != suspended)
                          .map(OthersJobSetsIT::nameOf))
                  .isEmpty();
              assertThat(
                      all(TrainJob.class)
                          .filter(it -> !saysSuspended(it).equals(Optional.of(suspended)))
                          .map(OthersJobSetsIT::nameOf))
                  .isEmpty();
            });
  }

  private static Optional<Boolean> saysSuspended(TrainJob trainJob) {
    return trainJob.getStatus() == null || trainJob.getStatus().conditions() == null
        ? Optional.empty()
        : trainJob.getStatus().conditions().stream()
            .filter(it -> it.getType().equals("Suspended"))
            .map(Condition::getStatus)
            .map("True"::equals)
            .findFirst();
  }

  /** Of TrainJobs that have a JobSet, in the namespaces of the test. */
  private <T extends HasMetadata> Stream<T> all(Class<T> type) {
    Map<String, Set<String>> names =
        all.stream()
            .collect(Collectors.toMap(Stored::namespace, it -> Set.copyOf(it.state().trainJobs())));
    return client.resources(type).inAnyNamespace().list().getItems().stream()
        .filter(
            it ->
                names
                    .getOrDefault(it.getMetadata().getNamespace(), Set.of())
                    .contains(it.getMetadata().getName()));
  }

  private List<Event> warnings() {
    Set<String> namespaces = all.stream().map(Stored::namespace).collect(Collectors.toSet());
    return client.v1().events().inAnyNamespace().list().getItems().stream()
        .filter(it -> namespaces.contains(it.getMetadata().getNamespace()))
        .filter(it -> it.getInvolvedObject().getKind().equals("TrainJob"))
        .filter(it -> it.getType().equals("Warning"))
        .toList();
  }

  /** The specs of all JobSets of a namespace, but for their being suspended. */
  private Map<String, Object> templates(String namespace) {
    Map<String, Object> specs = new TreeMap<>();
    for (GenericKubernetesResource jobSet :
        client
            .genericKubernetesResources("jobset.x-k8s.io/v1alpha2", "JobSet")
            .inNamespace(namespace)
            .list()
            .getItems()) {
      Map<String, Object> spec = new TreeMap<>(jobSet.<Map<String, Object>>get("spec"));
      spec.remove("suspend");
      specs.put(jobSet.getMetadata().getName(), spec);
    }
    return specs;
  }

  private static String nameOf(HasMetadata object) {
    return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
  }
}
