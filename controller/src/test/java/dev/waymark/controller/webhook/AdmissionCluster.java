package dev.waymark.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.waymark.controller.ControllerConfiguration;
import dev.waymark.controller.ControllerConfiguration.Listen;
import dev.waymark.controller.SettableClock;
import dev.waymark.controller.certificates.Certificates;
import dev.waymark.controller.metrics.TrainJobMetrics;
import dev.waymark.controller.reconcile.Reconcilers;
import dev.waymark.controller.reconcile.Reconcilers.Home;
import dev.waymark.controller.reconcile.TrustAnchors;
import dev.waymark.testbed.Cluster;
import dev.waymark.trainer.api.CustomResourceDefinitions;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.vertx.core.Vertx;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * An API server that asks the controller's webhooks, the certificates that they show, and the
 * reconcilers from whose caches they answer.
 */
final class AdmissionCluster implements AutoCloseable {

  static final String OPERATOR = "kubeflow-system";
  static final String SECRET = "kubeflow-trainer-webhook-cert";
  static final String TEAM = "team-a";
  static final Duration LIMIT = Duration.ofSeconds(30);

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Path ROLE = Path.of("../charts/waymark/files/cluster-role.yaml");

  /** Newest first. */
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  private final SettableClock clock = new SettableClock(Instant.now());
  private final List<String> fatal = new CopyOnWriteArrayList<>();
  private KubernetesClient client;
  private Certificates certificates;

  /** Starts everything; returns when the webhooks answer. */
  void start() throws Exception {
    Cluster cluster = Cluster.start();
    opened.push(cluster);
    client = cluster.newClient();
    opened.push(client);
    Vertx vertx = Vertx.vertx();
    opened.push(() -> vertx.close());
    CustomResourceDefinitions.names()
        .forEach(name -> client.load(stream(CustomResourceDefinitions.yaml(name))).create());
    for (String namespace : List.of(OPERATOR, TEAM)) {
      client
          .resource(
              new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
          .create();
    }
    KubernetesClient controllers = clientWithTheControllersRights(cluster);
    opened.push(controllers);
    certificates = Certificates.managed(controllers, OPERATOR, SECRET, List.of("localhost"), clock);
    opened.push(certificates);
    certificates.start();
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(certificates.server().current()).isPresent());
    Reconcilers reconcilers =
        new Reconcilers(
            controllers,
            onFreePort(),
            new Home(OPERATOR, "it"),
            TrustAnchors.of(certificates::authorities, certificates::onAuthoritiesChanged),
            Metrics.NOOP,
            new TrainJobMetrics(new PrometheusRegistry()),
            fatal::add);
    opened.push(reconcilers);
    reconcilers.start();
    WebhookServer server =
        new WebhookServer(vertx, certificates.server(), onFreePort(), reconcilers.knowledge());
    opened.push(server);
    server.start();
    client.load(stream(WebhookManifests.yaml(server.port()))).create();
    lookAgainAt(Instant.now());
    awaitWebhooks();
    createRuntime("torch", "mlPolicy: {torch: {}}");
    await().atMost(LIMIT).untilAsserted(() -> assertThat(server.notReady()).isEmpty());
  }

  /** Somebody with the rights of the chart's ClusterRole, and no others. */
  private KubernetesClient clientWithTheControllersRights(Cluster cluster) throws IOException {
    ClusterRole role =
        client.getKubernetesSerialization().unmarshal(Files.readString(ROLE), ClusterRole.class);
    client.resource(role).create();
    client
        .resource(
            new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName("controller")
                .endMetadata()
                .withNewRoleRef(
                    "rbac.authorization.k8s.io", "ClusterRole", role.getMetadata().getName())
                .addNewSubject()
                .withKind("User")
                .withName("controller")
                .endSubject()
                .build())
        .create();
    Config config = Config.fromKubeconfig(cluster.kubeconfig().toFile());
    config.setImpersonateUsername("controller");
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  /** Every right. */
  KubernetesClient client() {
    return client;
  }

  Certificates certificates() {
    return certificates;
  }

  /** What the certificates go by. */
  Clock clock() {
    return clock;
  }

  /** Moves the clock, and makes the controller look, by a change that means nothing. */
  void lookAgainAt(Instant time) {
    clock.set(time);
    client
        .secrets()
        .inNamespace(OPERATOR)
        .withName(SECRET)
        // Not by an edit, which the controller's own write can get in between.
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\": {\"annotations\": {\"looked-at\": \"" + time + "\"}}}");
  }

  /** Moves the clock, and nobody looks. */
  void setClock(Instant time) {
    clock.set(time);
  }

  /** As manifests bring the Secret: it is there, and holds nothing. */
  void emptySecret() {
    client
        .secrets()
        .inNamespace(OPERATOR)
        .withName(SECRET)
        .edit(
            secret -> {
              secret.setData(Map.of());
              return secret;
            });
  }

  void awaitWebhooks() {
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .untilAsserted(
            () ->
                client
                    .resource(runtime("TrainingRuntime", "tried", "{}", "node", 1))
                    .inNamespace(TEAM)
                    .dryRun()
                    .create());
  }

  void createTrainJob(String name, String spec) {
    create(trainJob(name, spec));
  }

  void createRuntime(String name, String spec) {
    create(runtime("TrainingRuntime", name, spec, "node", 1));
  }

  void create(GenericKubernetesResource object) {
    if (object.getKind().startsWith("Cluster")) {
      client.resource(object).create();
    } else {
      client.resource(object).inNamespace(TEAM).create();
    }
  }

  void merge(String kind, String name, String patch) {
    resource(kind, name)
        .patch(PatchContext.of(PatchType.JSON_MERGE), Serialization.asJson(map(patch)));
  }

  Resource<GenericKubernetesResource> resource(String kind, String name) {
    return client
        .genericKubernetesResources("trainer.kubeflow.org/v1alpha1", kind)
        .inNamespace(TEAM)
        .withName(name);
  }

  /** A TrainJob of the runtime torch, if its spec names no other. */
  static GenericKubernetesResource trainJob(String name, String spec) {
    GenericKubernetesResource job = object("TrainJob", name, spec);
    Map<String, Object> fields = job.get("spec");
    fields.putIfAbsent("runtimeRef", Map.of("name", "torch", "kind", "TrainingRuntime"));
    return job;
  }

  static GenericKubernetesResource runtime(
      String kind, String name, String spec, String container, int replicas) {
    GenericKubernetesResource runtime = object(kind, name, spec);
    Map<String, Object> fields = runtime.get("spec");
    fields.put(
        "template",
        map(
            """
            spec:
              replicatedJobs:
              - name: node
                replicas: %d
                template:
                  metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
                  spec: {template: {spec: {containers: [{name: %s, image: demo}]}}}
            """
                .formatted(replicas, container)));
    return runtime;
  }

  private static GenericKubernetesResource object(String kind, String name, String spec) {
    GenericKubernetesResource object =
        Serialization.unmarshal(
            "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: %s\nmetadata: {name: %s}\n"
                .formatted(kind, name),
            GenericKubernetesResource.class);
    object.setAdditionalProperty("spec", map(spec));
    return object;
  }

  private static Map<String, Object> map(String yaml) {
    try {
      return YAML.readValue(yaml, new TypeReference<>() {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ControllerConfiguration onFreePort() {
    ControllerConfiguration defaults = ControllerConfiguration.DEFAULTS;
    return new ControllerConfiguration(
        new Listen("127.0.0.1", 0),
        defaults.leaderElection(),
        defaults.metrics(),
        defaults.health(),
        defaults.workers(),
        defaults.certificates(),
        defaults.clientConnection(),
        defaults.statusServer(),
        defaults.featureGates(),
        defaults.tls(),
        defaults.agentInjection(),
        defaults.updatesTypes());
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable started : opened) {
      started.close();
    }
    assertThat(fatal).isEmpty();
  }
}
