package dev.waymark.controller.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.testbed.Cluster;
import dev.waymark.testbed.OnCluster;
import dev.waymark.trainer.api.ClusterTrainingRuntime;
import dev.waymark.trainer.api.CustomResourceDefinitions;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The chart in the hands of Helm 3. */
@OnCluster
@Timeout(300)
class Helm3IT {

  @TempDir Path folder;

  static Stream<Path> valuesFiles() {
    return Helm.valuesFiles();
  }

  @Test
  void lintFindsNothing() {
    String found =
        Helm.three(folder, null).succeed(List.of("lint", "--strict", Helm.CHART.toString()));

    assertThat(found).doesNotContain("[WARNING]", "[ERROR]");
  }

  @ParameterizedTest
  @MethodSource("valuesFiles")
  void makesTheSameOfTheChartAsHelm4(Path values) {
    String[] arguments = {"--values", values.toString()};

    assertThat(Helm.three(folder, null).template(arguments).objects())
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(new Helm(folder).template(arguments).objects());
  }

  /** And who has moved on to Helm 4 goes on with the same release. */
  @Test
  void installsUpgradesAndUninstalls(Cluster cluster) throws Exception {
    try (Release release = new Release(cluster, folder, Helm.three(folder, cluster.kubeconfig()))) {
      release.bringTypes();
      release.install();
      KubernetesClient client = release.client();
      assertThat(runtimes(client)).containsExactlyInAnyOrder("djl-cpu", "dl4j-cpu");
      try (ReleasedController controller = release.controller()) {
        controller.startUp();
      }
      assertThat(release.authorities()).hasSize(4).doesNotContainNull();
      List<String> authorities = release.authorities();

      String before = release.checksumOfConfiguration();
      release.upgrade(
          "--reset-then-reuse-values",
          "--set=manager.config.statusServer.qps=7,runtimes.dl4jCpu.enabled=false");
      assertThat(release.checksumOfConfiguration()).isNotEqualTo(before);
      assertThat(runtimes(client)).containsExactly("djl-cpu");

      new Helm(folder, cluster.kubeconfig())
          .upgrade(
              release.namespace(),
              "--reset-then-reuse-values",
              "--set=manager.config.statusServer.qps=100,runtimes.dl4jCpu.enabled=true");
      assertThat(release.checksumOfConfiguration()).isEqualTo(before);
      assertThat(runtimes(client)).containsExactlyInAnyOrder("djl-cpu", "dl4j-cpu");
      assertThat(release.authorities()).isEqualTo(authorities);

      release.uninstall();
      assertThat(runtimes(client)).isEmpty();
      assertThat(client.apps().deployments().list().getItems()).isEmpty();
      assertThat(CustomResourceDefinitions.names())
          .allSatisfy(
              name ->
                  assertThat(
                          client
                              .apiextensions()
                              .v1()
                              .customResourceDefinitions()
                              .withName(name)
                              .get())
                      .isNotNull());
    }
  }

  private static List<String> runtimes(KubernetesClient client) {
    return client
        .resources(ClusterTrainingRuntime.class)
        .withLabel("app.kubernetes.io/managed-by", "Helm")
        .list()
        .getItems()
        .stream()
        .map(runtime -> runtime.getMetadata().getName())
        .toList();
  }
}
