package dev.waymark.controller.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.controller.ConfigurationReader;
import dev.waymark.controller.ControllerConfiguration;
import dev.waymark.testbed.NeedsTestbed;
import dev.waymark.trainer.api.CustomResourceDefinitions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What helm makes of the chart without a cluster. */
@NeedsTestbed
class ChartRenderingIT {

  private static final String MANAGER = "waymark-controller-manager";

  @TempDir Path folder;

  private Helm helm;

  @BeforeEach
  void find() {
    helm = new Helm(folder);
  }

  static Stream<Path> valuesFiles() {
    return Helm.valuesFiles();
  }

  @ParameterizedTest
  @MethodSource("valuesFiles")
  void lintFindsNothing(Path values) {
    String found =
        helm.succeed(
            List.of("lint", "--strict", "--values", values.toString(), Helm.CHART.toString()));

    assertThat(found).contains("0 chart(s) failed").doesNotContain("[WARNING]", "[ERROR]");
  }

  @ParameterizedTest
  @MethodSource("valuesFiles")
  void theControllerTakesItsConfiguration(Path values) throws Exception {
    Manifest manifest = helm.template("--values", values.toString());

    ConfigurationReader.read(values.toString(), manifest.configuration());
  }

  @ParameterizedTest
  @MethodSource("valuesFiles")
  void nothingIsAHook(Path values) {
    assertThat(helm.template("--values", values.toString()).objects())
        .extracting(object -> object.at("/metadata/annotations").toString())
        .noneMatch(annotations -> annotations.contains("helm.sh/hook"));
  }

  /** Those about Leases hold in one namespace, all others everywhere. */
  @Test
  void theRightsAreThoseOfTheOneFile() throws IOException {
    Manifest manifest = helm.template("--set", "manager.config.metrics.auth.enabled=true");
    List<JsonNode> rendered = new ArrayList<>();
    manifest.object("ClusterRole", MANAGER).path("rules").forEach(rendered::add);
    manifest.object("Role", "waymark-leader-election").path("rules").forEach(rendered::add);

    JsonNode file = Manifest.yaml(Files.readString(Helm.CHART.resolve("files/cluster-role.yaml")));
    assertThat(rendered).containsExactlyInAnyOrderElementsOf(file.path("rules"));
    assertThat(manifest.object("ClusterRole", MANAGER).toString()).doesNotContain("leases");
    JsonNode account = manifest.ofKind("ServiceAccount").findFirst().orElseThrow();
    assertThat(manifest.object("ClusterRoleBinding", MANAGER).at("/subjects/0/name"))
        .isEqualTo(account.at("/metadata/name"));
  }

  @Test
  void rightsThatTheValuesDoNotNeedAreLeftOut() {
    assertThat(rights(helm.template()))
        .contains("\"mutatingwebhookconfigurations\"", "\"customresourcedefinitions\"")
        .doesNotContain("\"tokenreviews\"", "\"subjectaccessreviews\"");
    assertThat(rights(helm.template("--values", values("cert-manager"))))
        .contains("\"customresourcedefinitions\"")
        .doesNotContain("webhookconfigurations");
    assertThat(rights(helm.template("--values", values("least"))))
        .contains("\"mutatingwebhookconfigurations\"")
        .doesNotContain("\"customresourcedefinitions\"");
  }

  private static String rights(Manifest manifest) {
    return manifest.object("ClusterRole", MANAGER).path("rules").toString();
  }

  @Test
  void theTypesAreThoseThatTheControllerKnows() throws IOException {
    List<String> names = CustomResourceDefinitions.names();
    try (Stream<Path> files = Files.list(Helm.CHART.resolve("crds"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(names.stream().map(it -> it + ".yaml").toList());
    }
    for (String name : names) {
      assertThat(Helm.CHART.resolve("crds/" + name + ".yaml"))
          .content()
          .isEqualTo(CustomResourceDefinitions.yaml(name));
    }
  }

  @Test
  void theVersionIsThatOfTheBuild() throws IOException {
    Matcher version =
        Pattern.compile("<artifactId>waymark</artifactId>\\s*<version>([^<]+)<")
            .matcher(Files.readString(Path.of("../pom.xml")));
    assertThat(version.find()).isTrue();

    JsonNode chart = Manifest.yaml(Files.readString(Helm.CHART.resolve("Chart.yaml")));
    assertThat(chart.path("version").asText()).isEqualTo(version.group(1));
    assertThat(chart.path("appVersion").asText()).isEqualTo(version.group(1));
  }

  /** Value and text of the message that names it. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "manager.replica=2 | 'replica' not allowed",
        "manager.replicas=many | /manager/replicas",
        "manager.config.webhook.port=70000 | /manager/config/webhook/port",
        "manager.config.metrics.bindAddress=8443 | /manager/config/metrics/bindAddress",
        "manager.config.leaderElection.leaseDuration=15 | leaseDuration",
        "manager.config.tls.minVersion=1.1 | minVersion",
        "manager.config.featureGates.Nonsense=true | 'Nonsense' not allowed",
        "webhook.failurePolicy=Maybe | 'Fail', 'Ignore'",
        "image.repository=waymark:1 | /image/repository",
        "runtimes.djlCpu.resources.limits.memory=4 | /runtimes/djlCpu/resources/limits/memory",
        "jobset.install=true | jobset.install: JobSet is no part of this chart",
        "dataCache.enabled=true | dataCache.enabled: this version has no data cache",
        "runtimes.torchtuneDistributed.enabled=true | this version doesn't run torchtune",
        "runtimes.djlCuda.enabled=true | runtimes.djlCuda.image.repository: djl-cuda has no image",
        "manager.config.statusServer.port=9443 | port 9443 is that of",
        "webhook.caBundle=Zm9v | webhook.caBundle: is for a certificate of your own",
        "certManager.issuerRef.kind=ClusterIssuer | /certManager/issuerRef",
        "runtimes.djlCpu.env[0].name=JAVA_TOOL_OPTIONS | is made of javaToolOptions",
      })
  void valuesThatCanNotBeAreRefusedByName(String value, String message) {
    Helm.Outcome refused = helm.tryTemplate("--set", value);

    assertThat(refused.status()).isNotZero();
    assertThat(refused.errors()).contains(message);
  }

  /** Each of its own would be found only after the one before it was mended. */
  @Test
  void contradictionsAreToldAtOnce() {
    Helm.Outcome refused =
        helm.tryTemplate(
            "--set",
            "manager.replicas=2,manager.config.leaderElection.leaderElect=false,"
                + "manager.config.metrics.secureServing=false,"
                + "manager.config.metrics.auth.enabled=true,"
                + "manager.config.health.readinessEndpointName=healthz");

    assertThat(refused.status()).isNotZero();
    assertThat(refused.errors())
        .contains(
            "leaderElection.leaderElect: without it every replica reconciles",
            "metrics.auth.enabled: needs secureServing: true",
            "livenessEndpointName: must differ from readinessEndpointName");
  }

  @Test
  void portsFollowTheConfigurationEverywhere() throws Exception {
    Manifest manifest = helm.template("--values", values("everything"));
    ControllerConfiguration configuration =
        ConfigurationReader.read("everything", manifest.configuration());

    assertThat(configuration.webhook().port()).isEqualTo(9445);
    assertThat(ports(manifest.manager().path("ports"), "containerPort"))
        .containsExactlyInAnyOrder(
            "webhook 9445", "metrics 9444", "status-server 9446", "health 9081");
    assertThat(ports(manifest.object("Service", MANAGER).at("/spec/ports"), "port"))
        .containsExactlyInAnyOrder(
            "webhook-server 443", "monitoring-port 9444", "status-server 9446");
    assertThat(manifest.object("NetworkPolicy", MANAGER).at("/spec/ingress"))
        .extracting(rule -> rule.at("/ports/0/port").asInt())
        .containsExactlyInAnyOrder(9445, 9446, 9444);
    assertThat(manifest.manager().at("/readinessProbe/httpGet/port").asText()).isEqualTo("health");
  }

  private static List<String> ports(JsonNode ports, String field) {
    return elements(ports)
        .map(port -> port.path("name").asText() + " " + port.path(field).asInt())
        .toList();
  }

  @Test
  void whatIsSwitchedOffIsNotThere() {
    Manifest manifest = helm.template("--values", values("least"));

    assertThat(manifest.objects())
        .extracting(object -> object.path("kind").asText())
        .doesNotContain(
            "PodDisruptionBudget", "NetworkPolicy", "ServiceAccount", "ClusterTrainingRuntime")
        .contains("Deployment", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration");
    assertThat(ports(manifest.manager().path("ports"), "containerPort"))
        .containsExactly("webhook 9443");
    assertThat(manifest.manager().has("readinessProbe")).isFalse();
    assertThat(rights(manifest)).contains("trainjobs");
    assertThat(manifest.object("Deployment", MANAGER).at("/spec/strategy/type").asText())
        .isEqualTo("Recreate");
  }

  @Test
  void aChangeOfTheConfigurationRollsThePods() {
    String before = checksum(helm.template());

    assertThat(checksum(helm.template("--set", "manager.replicas=3"))).isEqualTo(before);
    assertThat(checksum(helm.template("--set", "manager.config.statusServer.qps=7")))
        .isNotEqualTo(before);
  }

  @Test
  void selectorsFindWhatTheyAreMeantFor() {
    Manifest manifest = helm.template("--values", values("everything"));
    JsonNode pod = manifest.object("Deployment", MANAGER).at("/spec/template");
    JsonNode service = manifest.object("Service", MANAGER);

    assertThat(labels(pod.at("/metadata/labels")))
        .containsAllEntriesOf(labels(service.at("/spec/selector")))
        .containsAllEntriesOf(
            labels(
                manifest.object("PodDisruptionBudget", MANAGER).at("/spec/selector/matchLabels")))
        .containsAllEntriesOf(
            labels(manifest.object("NetworkPolicy", MANAGER).at("/spec/podSelector/matchLabels")))
        // The first one's is the operator's.
        .containsAllEntriesOf(
            labels(pod.at("/spec/topologySpreadConstraints/1/labelSelector/matchLabels")));
    JsonNode monitor = manifest.object("ServiceMonitor", MANAGER).path("spec");
    assertThat(labels(service.at("/metadata/labels")))
        .containsAllEntriesOf(labels(monitor.at("/selector/matchLabels")));
    assertThat(service.at("/spec/ports").findValuesAsText("name"))
        .contains(monitor.at("/endpoints/0/port").asText());
  }

  /** Of the same label the nearer one counts, and the chart's own in any case. */
  @Test
  void labelsDoNotClash() {
    Manifest manifest = helm.template("--values", values("everything"));
    JsonNode runtime = manifest.object("ClusterTrainingRuntime", "djl-cpu");

    assertThat(labels(manifest.object("Deployment", MANAGER).at("/metadata/labels")))
        .containsEntry("team", "training")
        .containsEntry("app.kubernetes.io/name", "waymark");
    assertThat(labels(manifest.object("ServiceMonitor", MANAGER).at("/metadata/labels")))
        .containsEntry("team", "monitoring");
    assertThat(labels(runtime.at("/metadata/labels")))
        .containsEntry("team", "research")
        .containsEntry("trainer.kubeflow.org/framework", "djl")
        .containsEntry("trainer.kubeflow.org/webhook-validation", "disabled");
  }

  private static Map<String, String> labels(JsonNode object) {
    Map<String, String> labels = new TreeMap<>();
    object.properties().forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
    assertThat(labels).isNotEmpty();
    return labels;
  }

  @Test
  void alertsAskForTheMetricsUnderTheJobThatTheyHave() {
    Manifest manifest =
        helm.template(
            "--set",
            "prometheusRule.enabled=true,prometheusRule.job=own,prometheusRule.certificateDays=3");

    List<String> expressions = manifest.object("PrometheusRule", MANAGER).findValuesAsText("expr");
    assertThat(expressions)
        .filteredOn(expression -> !expression.startsWith("kube_"))
        .hasSizeGreaterThan(6)
        .allMatch(expression -> expression.contains("{job=\"own\""))
        .noneMatch(expression -> expression.contains(MANAGER))
        .anyMatch(expression -> expression.endsWith(" - time() < 3 * 24 * 3600"));
  }

  @Test
  void anIssuerMayBeOfAnyKind() {
    Manifest manifest =
        helm.template(
            "--set",
            "certManager.enabled=true,certManager.issuerRef.name=own,"
                + "certManager.issuerRef.kind=CloudIssuer,certManager.issuerRef.group=example.com");

    assertThat(manifest.ofKind("Issuer")).isEmpty();
    assertThat(manifest.object("Certificate", "waymark-webhook-cert").at("/spec/issuerRef"))
        .isEqualTo(Manifest.yaml("{name: own, kind: CloudIssuer, group: example.com}"));
  }

  @Test
  void theAgentComesFromWhereTheControllerDoes() throws Exception {
    assertThat(agent("image.registry=one.example.com")).startsWith("one.example.com/waymark/");
    assertThat(agent("image.registry=one.example.com,agent.image.registry=other.example.com"))
        .startsWith("other.example.com/waymark/");
  }

  private String agent(String values) throws Exception {
    String configuration = helm.template("--set", values).configuration();
    return ConfigurationReader.read(values, configuration).agentInjection().orElseThrow().image();
  }

  /** Packed, as it lies in a registry. */
  @Test
  void aChartCanHaveItAsADependency() throws IOException {
    Path other = Files.createDirectories(folder.resolve("other/charts")).getParent();
    helm.succeed(
        List.of("package", Helm.CHART.toString(), "--destination=" + other.resolve("charts")));
    Files.writeString(
        other.resolve("Chart.yaml"),
        """
        apiVersion: v2
        name: other
        version: 1.0.0
        dependencies:
          - {name: waymark, version: ">=0-0", condition: waymark.enabled}
        """);
    List<String> template =
        List.of("template", "waymark", other.toString(), "--namespace=kubeflow-system", "--set");

    String with = helm.succeed(append(template, "waymark.enabled=true"));
    String without = helm.succeed(append(template, "waymark.enabled=false"));

    assertThat(Manifest.of(with).objects())
        .containsExactlyInAnyOrderElementsOf(helm.template().objects());
    assertThat(Manifest.of(without).objects()).isEmpty();
  }

  private static List<String> append(List<String> words, String last) {
    return Stream.concat(words.stream(), Stream.of(last)).toList();
  }

  /** As with upstream's chart. (Those of runtimes must be texts: the SDK can't read others.) */
  @Test
  void quantitiesOfTheControllerMayBeNumbers() {
    JsonNode limits =
        helm.template("--set", "manager.resources.limits.cpu=2").manager().at("/resources/limits");

    assertThat(limits.path("cpu").asInt()).isEqualTo(2);
    assertThat(limits.path("memory").asText()).isEqualTo("512Mi");
  }

  private static String checksum(Manifest manifest) {
    return manifest
        .object("Deployment", MANAGER)
        .at("/spec/template/metadata/annotations/checksum~1config")
        .asText();
  }

  /** What running pods were told stays right after a take-over. */
  @Test
  void namesCanBeThoseOfUpstream() throws Exception {
    Manifest manifest = helm.template("--values", values("upstream-names"));
    ControllerConfiguration.Certificates certificates =
        ConfigurationReader.read("upstream", manifest.configuration()).certificates();

    assertThat(certificates.serviceName()).isEqualTo("kubeflow-trainer-controller-manager");
    assertThat(certificates.secretName()).isEqualTo("kubeflow-trainer-webhook-cert");
    assertThat(manifest.object("Service", certificates.serviceName()).isMissingNode()).isFalse();
    assertThat(
            manifest
                .object("ValidatingWebhookConfiguration", "validator.trainer.kubeflow.org")
                .findValuesAsText("name"))
        .contains(
            certificates.serviceName(),
            "validator.trainjob.trainer.kubeflow.org",
            "validator.trainingruntime.trainer.kubeflow.org",
            "validator.clustertrainingruntime.trainer.kubeflow.org");
    assertThat(
            manifest
                .object("ConfigMap", "kubeflow-trainer-public")
                .at("/data/kubeflow_trainer_version")
                .asText())
        .isEqualTo("v2.3.0");
  }

  @Test
  void runtimesAreFitForTheSdkAndForRestrictedNamespaces() {
    Manifest manifest = helm.template("--values", values("everything"));
    List<JsonNode> runtimes = manifest.ofKind("ClusterTrainingRuntime").toList();

    assertThat(runtimes)
        .extracting(runtime -> runtime.at("/metadata/name").asText())
        .containsExactlyInAnyOrder(
            "djl-cpu",
            "djl-cuda",
            "dl4j-cpu",
            "dl4j-cuda",
            "jvm-npu",
            "torch-distributed",
            "jax-distributed",
            "xgboost-distributed");
    for (JsonNode runtime : runtimes) {
      JsonNode pod = runtime.at("/spec/template/spec/replicatedJobs/0/template/spec/template/spec");
      JsonNode limits = pod.at("/containers/0/resources/limits");
      assertThat(limits).allMatch(JsonNode::isTextual);
      boolean jvm =
          runtime.at("/metadata/annotations/waymark.dev~1inject-agent").asText().equals("true");
      assertThat(jvm).isEqualTo(!limits.isEmpty());
      if (jvm) {
        assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(pod.at("/securityContext/seccompProfile/type").asText())
            .isEqualTo("RuntimeDefault");
        assertThat(pod.at("/containers/0/securityContext/allowPrivilegeEscalation").asBoolean(true))
            .isFalse();
      }
    }
    assertThat(runtimes)
        .extracting(
            runtime -> runtime.at("/metadata/labels/trainer.kubeflow.org~1framework").asText())
        .doesNotContain("");
  }

  /** Helm can't take a list apart, so null must take a default out. */
  @Test
  void aMigSliceTakesThePlaceOfAWholeGpu() {
    JsonNode limits =
        helm.template("--values", values("everything"))
            .object("ClusterTrainingRuntime", "dl4j-cuda")
            .findValue("limits");

    assertThat(limits.properties())
        .extracting(field -> field.getKey() + "=" + field.getValue().asText())
        .contains("nvidia.com/mig-1g.5gb=1")
        .noneMatch(limit -> limit.startsWith("nvidia.com/gpu"));
  }

  @Test
  void whoKeepsTheCertificateDecidesWhatIsMounted() throws Exception {
    for (String keeper : List.of("cert-manager", "own-certificate")) {
      Manifest manifest = helm.template("--values", values(keeper));

      assertThat(
              ConfigurationReader.read(keeper, manifest.configuration()).certificates().managed())
          .isFalse();
      assertThat(manifest.manager().path("volumeMounts").toString())
          .contains("/tmp/k8s-webhook-server/serving-certs");
    }
    assertThat(helm.template().manager().path("volumeMounts").toString())
        .doesNotContain("serving-certs");
  }

  @Test
  void thePodsMeetTheRestrictedStandard() {
    Manifest manifest = helm.template();
    JsonNode pod = manifest.object("Deployment", MANAGER).at("/spec/template/spec");

    assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
    assertThat(pod.at("/securityContext/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
    JsonNode container = manifest.manager().path("securityContext");
    assertThat(container.path("readOnlyRootFilesystem").asBoolean()).isTrue();
    assertThat(container.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
    assertThat(container.at("/capabilities/drop")).hasToString("[\"ALL\"]");
    assertThat(Set.of("emptyDir", "configMap", "secret"))
        .containsAll(
            elements(pod.path("volumes"))
                .flatMap(volume -> volume.properties().stream())
                .map(field -> field.getKey())
                .filter(field -> !field.equals("name"))
                .toList());
  }

  private static String values(String name) {
    return Helm.CHART.resolve("ci/" + name + "-values.yaml").toString();
  }

  private static Stream<JsonNode> elements(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }
}
