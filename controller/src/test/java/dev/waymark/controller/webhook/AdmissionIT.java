package dev.waymark.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.waymark.controller.ControllerConfiguration;
import dev.waymark.controller.ControllerConfiguration.Listen;
import dev.waymark.controller.certificates.Certificates;
import dev.waymark.plan.ClusterSettings;
import dev.waymark.status.tls.Pem;
import dev.waymark.testbed.Cluster;
import dev.waymark.testbed.NeedsTestbed;
import dev.waymark.trainer.api.ClusterTrainingRuntime;
import dev.waymark.trainer.api.CustomResourceDefinitions;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainingRuntime;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.vertx.core.Vertx;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The webhooks and their certificates, as users of a real API server meet them. */
@NeedsTestbed
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdmissionIT {

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private static final Path ROLE = Path.of("../charts/waymark/files/cluster-role.yaml");
  private static final String OPERATOR = "kubeflow-system";
  private static final String SECRET = "kubeflow-trainer-webhook-cert";
  private static final String TEAM = "team-a";
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /**
   * Certificates of the future are refused by the API server, so an exchange happens in the past:
   * it is due three hours ago, for an authority that was made nearly ten years ago.
   */
  private static final Instant DUE = Instant.now().minus(Duration.ofHours(3));

  private final SettableClock clock = new SettableClock(Instant.now());

  /** Newest first. */
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  private KubernetesClient client;
  private Certificates certificates;
  private WebhookServer server;

  @BeforeAll
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
    server =
        new WebhookServer(vertx, certificates.server(), onFreePort(), new LiveState(controllers));
    opened.push(server);
    server.start();
    client.load(stream(webhookConfigurations(server.port()))).create();
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

  @AfterAll
  void end() throws Exception {
    for (AutoCloseable started : opened) {
      started.close();
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "no such runtime | runtimeRef: {name: nope, kind: TrainingRuntime} | 403 | spec.runtimeRef",
        "no such cluster runtime | runtimeRef: {name: nope}        | 403 | spec.runtimeRef",
        "no kind of runtime | runtimeRef: {name: x, kind: Job}      | 403 | unsupported runtime",
        "reserved variable | trainer: {env: [{name: PET_NNODES, value: '3'}]} | 403 |"
            + " spec.trainer.env",
        "text for a number | trainer: {numNodes: '2'}               | 400 | spec.trainer.numNodes",
        "a number for text | trainer: {image: 7}                    | 400 | spec.trainer.image",
        "the schema's own | trainer: {numNodes: -1}                 | 422 | spec.trainer.numNodes",
        "bad manager | runtimePatches: [{manager: plain}]           | 403 | spec.runtimePatches",
        "unknown job | runtimePatches: [{manager: a.io/b, trainingRuntimeSpec: {template: {spec:"
            + " {replicatedJobs: [{name: ghost}]}}}}] | 403 | spec.runtimePatches",
        "no dataset job | initializer: {dataset: {storageUri: 'hf://a/b'}} | 403 | spec.runtimeRef",
      })
  void refusesTrainJobs(String what, String spec, int code, String field) {
    KubernetesClientException refusal =
        catchThrowableOfType(
            KubernetesClientException.class, () -> createTrainJob("refused", spec));

    assertThat(refusal).as(what).isNotNull();
    assertThat(refusal.getCode()).isEqualTo(code);
    assertThat(refusal.getStatus().getMessage()).contains(field);
    if (code == 403) {
      assertThat(refusal.getStatus().getReason()).isEqualTo("Forbidden");
      assertThat(refusal.getStatus().getMessage())
          .startsWith(
              "admission webhook \"validator.trainjob.trainer.kubeflow.org\" denied the request: ");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "TrainingRuntime, node, 2, 403, replicas",
    "TrainingRuntime, main, 1, 403, containers",
    "ClusterTrainingRuntime, node, 2, 403, replicas",
    "ClusterTrainingRuntime, main, 1, 403, containers",
  })
  void refusesRuntimes(String kind, String container, int replicas, int code, String field) {
    KubernetesClientException refusal =
        catchThrowableOfType(
            KubernetesClientException.class,
            () -> create(runtime(kind, "refused", "{}", container, replicas)));

    assertThat(refusal.getCode()).isEqualTo(code);
    assertThat(refusal.getStatus().getMessage())
        .contains("spec.template.spec.replicatedJobs[0].", field);
  }

  @Test
  void checksChangesToo() {
    createTrainJob("running", "suspend: false");
    assertThatThrownBy(
            () ->
                merge(
                    "TrainJob",
                    "running",
                    "{spec: {runtimePatches: [{manager: a.io/b, trainingRuntimeSpec: {template:"
                        + " {metadata: {labels: {x: y}}}}}]}}"))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("spec.runtimePatches");
    merge("TrainJob", "running", "{metadata: {labels: {x: y}}}");

    createRuntime("changing", "mlPolicy: {}");
    GenericKubernetesResource runtime = resource("TrainingRuntime", "changing").get();
    Map<String, Object> job = runtime.get("spec", "template", "spec", "replicatedJobs", 0);
    job.put("replicas", 2);
    assertThatThrownBy(() -> client.resource(runtime).inNamespace(TEAM).update())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("replicatedJobs[0].replicas");
  }

  @Test
  void notesWhenPatchesWereChanged() {
    createTrainJob(
        "patched",
        "{suspend: true, runtimePatches: [{manager: a.io/b, trainingRuntimeSpec: {template:"
            + " {metadata: {labels: {x: y}}}}}]}");

    String time = resource("TrainJob", "patched").get().get("spec", "runtimePatches", 0, "time");
    assertThat(Instant.parse(time)).isAfter(Instant.now().minus(LIMIT));
  }

  @Test
  void putsTheAuthoritiesInAgainWhenSomebodyTakesThemOut() {
    client
        .admissionRegistration()
        .v1()
        .validatingWebhookConfigurations()
        .withName("validator.trainer.kubeflow.org")
        .edit(
            configuration -> {
              configuration.getWebhooks().forEach(it -> it.getClientConfig().setCaBundle(null));
              return configuration;
            });

    await().atMost(LIMIT).untilAsserted(() -> assertThat(trusted()).isEqualTo(stored("ca.crt")));
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .untilAsserted(() -> createTrainJob("again" + UUID.randomUUID(), "{suspend: true}"));
  }

  @Test
  void replicasShareOneCertificate() throws Exception {
    try (Certificates other =
        Certificates.managed(client, OPERATOR, SECRET, List.of("localhost"), clock)) {
      String before = stored("tls.crt");
      other.start();

      await()
          .atMost(LIMIT)
          .untilAsserted(
              () ->
                  assertThat(other.server().current()).isEqualTo(certificates.server().current()));
      assertThat(stored("tls.crt")).isEqualTo(before);
    }
  }

  @Test
  void makesEverythingAgainWhenTheSecretIsEmptied() throws Exception {
    List<X509Certificate> before = authorities();

    emptySecret();

    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .untilAsserted(
            () -> assertThat(authorities()).hasSize(1).doesNotContainAnyElementsOf(before));
    awaitWebhooks();
    assertThat(trusted()).isEqualTo(stored("ca.crt"));
  }

  /** While users go on creating, the authority is exchanged and nobody is told no. */
  @Test
  void exchangesTheAuthorityUnderLoad() throws Exception {
    clock.now = DUE.minus(Duration.ofDays(3650 - 90));
    emptySecret();
    // The first certificate has ended long since; the next one lives as long as its authority.
    await().atMost(LIMIT).until(() -> !Instant.now().isBefore(end(shown())));
    lookAgainAt(DUE.minus(Duration.ofMinutes(1)));
    awaitWebhooks();
    List<X509Certificate> old = authorities();
    assertThat(old).hasSize(1);

    try (Load load = new Load()) {
      load.awaitMore(20);

      lookAgainAt(DUE);
      await().atMost(LIMIT).untilAsserted(() -> assertThat(authorities()).hasSize(2));
      X509Certificate next = authorities().get(0);
      assertThat(authorities().get(1)).isEqualTo(old.get(0));
      assertThat(shown().getIssuerX500Principal()).isEqualTo(old.get(0).getSubjectX500Principal());
      shown().verify(old.get(0).getPublicKey());
      await().atMost(LIMIT).untilAsserted(() -> assertThat(trusted()).isEqualTo(stored("ca.crt")));
      load.awaitMore(20);

      lookAgainAt(DUE.plus(Duration.ofHours(1)));
      await()
          .atMost(LIMIT)
          .ignoreExceptions()
          .untilAsserted(() -> shown().verify(next.getPublicKey()));
      load.awaitMore(20);

      lookAgainAt(DUE.plus(Duration.ofHours(2)));
      await().atMost(LIMIT).untilAsserted(() -> assertThat(authorities()).containsExactly(next));
      await().atMost(LIMIT).untilAsserted(() -> assertThat(trusted()).isEqualTo(stored("ca.crt")));
      load.awaitMore(20);

      assertThat(load.failures).isEmpty();
    }
  }

  /** Users who go on creating TrainJobs; a dry run asks the webhooks, too. */
  private final class Load implements AutoCloseable {

    final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger created = new AtomicInteger();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final List<Thread> users = new ArrayList<>();

    Load() {
      for (int i = 0; i < 3; i++) {
        Thread user = new Thread(this::create, "user-" + i);
        users.add(user);
        user.start();
      }
    }

    private void create() {
      while (!ended.get()) {
        try {
          client
              .resource(trainJob("load-" + UUID.randomUUID(), "{suspend: true}"))
              .inNamespace(TEAM)
              .dryRun()
              .create();
          created.incrementAndGet();
        } catch (RuntimeException e) {
          failures.add(e.toString());
        }
      }
    }

    void awaitMore(int many) {
      int now = created.get();
      await().atMost(LIMIT).until(() -> created.get() >= now + many || !failures.isEmpty());
    }

    @Override
    public void close() throws InterruptedException {
      ended.set(true);
      for (Thread user : users) {
        user.join();
      }
    }
  }

  /** Moves the clock, and makes the controller look, by a change that means nothing. */
  private void lookAgainAt(Instant time) {
    clock.now = time;
    client
        .secrets()
        .inNamespace(OPERATOR)
        .withName(SECRET)
        .edit(
            secret -> {
              secret.getMetadata().setAnnotations(Map.of("looked-at", time.toString()));
              return secret;
            });
  }

  /** As manifests bring the Secret: it is there, and holds nothing. */
  private void emptySecret() {
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

  private void awaitWebhooks() {
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

  private static Instant end(X509Certificate certificate) {
    return certificate.getNotAfter().toInstant();
  }

  private X509Certificate shown() {
    return certificates.server().current().orElseThrow().leaf();
  }

  private List<X509Certificate> authorities() throws Exception {
    return Pem.certificates(stored("ca.crt"));
  }

  private String stored(String key) {
    Secret secret = client.secrets().inNamespace(OPERATOR).withName(SECRET).get();
    return decoded(secret.getData().get(key));
  }

  /** Whom the API server trusts; null when the webhooks differ. */
  private String trusted() {
    List<String> bundles = new ArrayList<>();
    client
        .admissionRegistration()
        .v1()
        .validatingWebhookConfigurations()
        .withName("validator.trainer.kubeflow.org")
        .get()
        .getWebhooks()
        .forEach(webhook -> bundles.add(webhook.getClientConfig().getCaBundle()));
    client
        .admissionRegistration()
        .v1()
        .mutatingWebhookConfigurations()
        .withName("defaulter.trainer.kubeflow.org")
        .get()
        .getWebhooks()
        .forEach(webhook -> bundles.add(webhook.getClientConfig().getCaBundle()));
    return bundles.stream().distinct().count() == 1 ? decoded(bundles.get(0)) : null;
  }

  private static String decoded(String base64) {
    return base64 == null
        ? null
        : new String(Base64.getDecoder().decode(base64), StandardCharsets.US_ASCII);
  }

  private void createTrainJob(String name, String spec) {
    create(trainJob(name, spec));
  }

  private void createRuntime(String name, String spec) {
    create(runtime("TrainingRuntime", name, spec, "node", 1));
  }

  private void create(GenericKubernetesResource object) {
    if (object.getKind().startsWith("Cluster")) {
      client.resource(object).create();
    } else {
      client.resource(object).inNamespace(TEAM).create();
    }
  }

  private void merge(String kind, String name, String patch) {
    resource(kind, name)
        .patch(PatchContext.of(PatchType.JSON_MERGE), Serialization.asJson(map(patch)));
  }

  private Resource<GenericKubernetesResource> resource(String kind, String name) {
    return client
        .genericKubernetesResources("trainer.kubeflow.org/v1alpha1", kind)
        .inNamespace(TEAM)
        .withName(name);
  }

  /** A TrainJob of the runtime torch, if its spec names no other. */
  private static GenericKubernetesResource trainJob(String name, String spec) {
    GenericKubernetesResource job = object("TrainJob", name, spec);
    Map<String, Object> fields = job.get("spec");
    fields.putIfAbsent("runtimeRef", Map.of("name", "torch", "kind", "TrainingRuntime"));
    return job;
  }

  private static GenericKubernetesResource runtime(
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
        defaults.agentInjection());
  }

  private static String webhookConfigurations(int port) {
    StringBuilder yaml = new StringBuilder();
    yaml.append(configuration("Mutating", "defaulter"));
    yaml.append(webhook("defaulter", "mutate", "trainjob", port));
    yaml.append("---\n").append(configuration("Validating", "validator"));
    for (String kind : List.of("trainjob", "trainingruntime", "clustertrainingruntime")) {
      yaml.append(webhook("validator", "validate", kind, port));
    }
    return yaml.toString();
  }

  private static String configuration(String type, String name) {
    return """
    apiVersion: admissionregistration.k8s.io/v1
    kind: %sWebhookConfiguration
    metadata: {name: %s.trainer.kubeflow.org}
    webhooks:
    """
        .formatted(type, name);
  }

  private static String webhook(String start, String path, String kind, int port) {
    return """
    - name: %1$s.%3$s.trainer.kubeflow.org
      admissionReviewVersions: [v1]
      sideEffects: None
      failurePolicy: Fail
      clientConfig:
        url: https://localhost:%4$d/%2$s-trainer-kubeflow-org-v1alpha1-%3$s
      rules:
      - apiGroups: [trainer.kubeflow.org]
        apiVersions: [v1alpha1]
        operations: [CREATE, UPDATE]
        resources: [%3$ss]
    """
        .formatted(start, path, kind, port);
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Asks the API server each time, and knows of no snapshots. */
  private record LiveState(KubernetesClient client) implements AdmissionState {

    @Override
    public Optional<RuntimeResource> runtime(TrainJob trainJob) {
      String name = trainJob.getSpec().runtimeRef().name();
      return switch (trainJob.getSpec().runtimeRef().effectiveKind()) {
        case "TrainingRuntime" ->
            Optional.ofNullable(
                client
                    .resources(TrainingRuntime.class)
                    .inNamespace(trainJob.getMetadata().getNamespace())
                    .withName(name)
                    .get());
        case "ClusterTrainingRuntime" ->
            Optional.ofNullable(
                client.resources(ClusterTrainingRuntime.class).withName(name).get());
        default -> Optional.empty();
      };
    }

    @Override
    public Optional<RuntimeResource> runtimeOfStored(TrainJob trainJob) {
      return runtime(trainJob);
    }

    @Override
    public Optional<JobSet> jobSet(TrainJob trainJob) {
      return Optional.empty();
    }

    @Override
    public ClusterSettings settings() {
      return ClusterSettings.NONE;
    }
  }

  private static final class SettableClock extends Clock {

    private volatile Instant now;

    SettableClock(Instant now) {
      this.now = now;
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
