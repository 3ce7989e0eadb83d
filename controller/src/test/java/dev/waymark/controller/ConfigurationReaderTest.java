package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.controller.ConfigurationReader.InvalidConfigurationException;
import dev.waymark.controller.ControllerConfiguration.AgentInjection;
import dev.waymark.controller.ControllerConfiguration.Certificates;
import dev.waymark.controller.ControllerConfiguration.Health;
import dev.waymark.controller.ControllerConfiguration.LeaderElection;
import dev.waymark.controller.ControllerConfiguration.Listen;
import dev.waymark.controller.ControllerConfiguration.Metrics;
import dev.waymark.controller.ControllerConfiguration.Rate;
import dev.waymark.controller.ControllerConfiguration.StatusServer;
import dev.waymark.controller.ControllerConfiguration.Tls;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationReaderTest {

  private static final String HEAD =
      "apiVersion: config.trainer.kubeflow.org/v1alpha1\nkind: Configuration\n";

  @Test
  void leavesDefaultsWhereNothingIsSaid() throws Exception {
    assertThat(ConfigurationReader.read("c.yaml", HEAD))
        .isEqualTo(ControllerConfiguration.DEFAULTS);
    assertThat(ConfigurationReader.read("c.yaml", HEAD + "webhook:\nmetrics: {}\nstatusServer: {}"))
        .isEqualTo(ControllerConfiguration.DEFAULTS);
  }

  @Test
  void readsEveryField() throws Exception {
    ControllerConfiguration read =
        ConfigurationReader.read(
            "c.yaml",
            HEAD
                + """
                webhook: {port: 1, host: "::1"}
                leaderElection:
                  leaderElect: true
                  leaseDuration: 1m30s
                  renewDeadline: 1.5s
                  retryPeriod: 500ms
                  resourceLock: leases
                  resourceName: here
                  resourceNamespace: ops
                metrics:
                  bindAddress: 127.0.0.1:8444
                  secureServing: true
                  auth: {enabled: true}
                health:
                  healthProbeBindAddress: "[::1]:81"
                  readinessEndpointName: ready
                  livenessEndpointName: /alive
                controller:
                  groupKindConcurrency:
                    TrainJob.trainer.kubeflow.org: 16
                    TrainingRuntime.trainer.kubeflow.org: 1
                certManagement: {enable: false, webhookServiceName: svc, webhookSecretName: sec}
                clientConnection: {qps: 0.5, burst: 7}
                statusServer:
                  port: 2
                  qps: 0
                  burst: 0
                  requirePodBoundTokens: true
                  minWriteInterval: 2s
                featureGates: {TrainJobStatus: false}
                tls:
                  minVersion: "1.3"
                  cipherSuites: [TLS_AES_128_GCM_SHA256]
                  nextProtos: [http/1.1]
                agentInjection:
                  image: registry.example/agent:1
                  imageVolume: true
                  resources: {limits: {cpu: 100m}}
                crdManagement: {enable: true}
                """);

    assertThat(read)
        .isEqualTo(
            new ControllerConfiguration(
                new Listen("::1", 1),
                Optional.of(
                    new LeaderElection(
                        "here",
                        "ops",
                        Duration.ofSeconds(90),
                        Duration.ofMillis(1500),
                        Duration.ofMillis(500))),
                new Metrics(Optional.of(new Listen("127.0.0.1", 8444)), true, true),
                new Health(Optional.of(new Listen("::1", 81)), "ready", "alive"),
                Map.of(
                    "TrainJob.trainer.kubeflow.org", 16, "TrainingRuntime.trainer.kubeflow.org", 1),
                new Certificates(false, "svc", "sec"),
                new Rate(0.5, 7),
                new StatusServer(2, new Rate(0, 0), true, Duration.ofSeconds(2)),
                new FeatureGates(Map.of("TrainJobStatus", false)),
                new Tls("TLSv1.3", List.of("TLS_AES_128_GCM_SHA256")),
                Optional.of(
                    new AgentInjection(
                        "registry.example/agent:1",
                        true,
                        new ResourceRequirementsBuilder()
                            .addToLimits("cpu", new Quantity("100m"))
                            .build())),
                true));
    assertThat(read.trainJobWorkers()).isEqualTo(16);
  }

  @ParameterizedTest
  @CsvSource({"'\"0\"'", "'\"\"'"})
  void listensNowhereWhenToldSo(String address) throws Exception {
    ControllerConfiguration read =
        ConfigurationReader.read(
            "c.yaml",
            HEAD
                + "metrics: {bindAddress: "
                + address
                + "}\nhealth: {healthProbeBindAddress: "
                + address
                + "}");

    assertThat(read.metrics().listen()).isEmpty();
    assertThat(read.health().listen()).isEmpty();
  }

  /** Upstream leaves zero durations in a partial block, which its elector then refuses. */
  @Test
  void fillsUpAPartialLeaderElection() throws Exception {
    assertThat(
            ConfigurationReader.read("c.yaml", HEAD + "leaderElection: {leaderElect: true}")
                .leaderElection())
        .contains(
            new LeaderElection(
                "trainer.kubeflow.org",
                "",
                Duration.ofSeconds(15),
                Duration.ofSeconds(10),
                Duration.ofSeconds(2)));
    assertThat(
            ConfigurationReader.read("c.yaml", HEAD + "leaderElection: {leaderElect: false}")
                .leaderElection())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "webhook: {port: 0}|webhook.port must be 1 to 65535, not 0",
        "webhook: {port: '9443'}|webhook.port must be a whole number",
        "webhook: {prot: 1}|webhook.prot is not a field of the configuration",
        "webhook: 7|webhook must be a mapping of fields",
        "webhok: {}|webhok is not a field of the configuration",
        "webhook: {port: 1, port: 2}|webhook.port is there twice",
        "metrics: {bindAddress: 8443}|metrics.bindAddress must be text",
        "metrics: {bindAddress: localhost}|metrics.bindAddress must be host:port",
        "metrics: {bindAddress: ':99999'}|metrics.bindAddress must be host:port",
        "metrics: {secureServing: 1}|metrics.secureServing must be true or false",
        "metrics: {secureServing: false, auth: {enabled: true}}|metrics.auth needs secureServing",
        "health: {readinessEndpointName: a/b}|health.readinessEndpointName must be one segment",
        "health: {readinessEndpointName: healthz}|health.livenessEndpointName must differ",
        "controller: {groupKindConcurrency: {TrainJob: 0}}|TrainJob must be 1 to 1000, not 0",
        "clientConnection: {qps: -1}|clientConnection.qps must be at least 0",
        "clientConnection: {burst: 0}|clientConnection.burst must be at least 1",
        "statusServer: {minWriteInterval: 5}|statusServer.minWriteInterval must be text",
        "statusServer: {minWriteInterval: 5x}|statusServer.minWriteInterval must be a duration",
        "statusServer: {minWriteInterval: 0s}|statusServer.minWriteInterval must be a duration",
        "featureGates: {Nothing: true}|there is no gate \"Nothing\"",
        "featureGates: {TrainJobStatus: 'yes!'}|featureGates.TrainJobStatus must be true or false",
        "tls: {minVersion: '1.4'}|tls.minVersion must be \"1.2\" or \"1.3\"",
        "tls: {cipherSuites: [NONE]}|tls.cipherSuites NONE is not a cipher suite",
        "tls: {nextProtos: [h2]}|tls.nextProtos must be http/1.1",
        "leaderElection: {resourceLock: endpoints}|leaderElection.resourceLock must be leases",
        "leaderElection: {leaseDuration: 5s}|leaderElection.leaseDuration must be longer",
        "leaderElection: {retryPeriod: 10s}|leaderElection.renewDeadline must be longer",
        "agentInjection: {}|agentInjection.image is missing",
        "agentInjection: {image: a, imageVolume: maybe}|agentInjection.imageVolume must be",
        "agentInjection: {image: a, resources: {limits: 7}}|agentInjection.resources must be",
        "kind: Other|kind is there twice"
      })
  void tellsWhereAndWhatIsWrong(String fields, String message) {
    assertThatThrownBy(() -> ConfigurationReader.read("c.yaml", HEAD + fields))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("c.yaml:3: ")
        .hasMessageContaining(message);
  }

  @Test
  void tellsEverythingAtOnce() {
    assertThatThrownBy(
            () ->
                ConfigurationReader.read(
                    "c.yaml", "kind: Configuration\nwebhook: {port: 0}\nmetrics: {x: 1}\n"))
        .hasMessage(
            """
            c.yaml: apiVersion must be config.trainer.kubeflow.org/v1alpha1
            c.yaml:2: webhook.port must be 1 to 65535, not 0
            c.yaml:3: metrics.x is not a field of the configuration; metrics has auth, bindAddress, secureServing\
            """);
  }

  @ParameterizedTest
  @CsvSource({"'',is empty", "[],must be a mapping", "'a: [',is not YAML"})
  void refusesWhatIsNoConfigurationAtAll(String text, String message) {
    assertThatThrownBy(() -> ConfigurationReader.read("c.yaml", text))
        .hasMessageContaining(message);
  }
}
