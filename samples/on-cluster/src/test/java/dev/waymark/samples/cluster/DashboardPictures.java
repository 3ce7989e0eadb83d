package dev.waymark.samples.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.controller.ControllerProcess;
import dev.waymark.controller.RunningController.Operator;
import dev.waymark.controller.StandInKubelet;
import dev.waymark.testbed.Cluster;
import dev.waymark.testbed.OnCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes the user guide's pictures of the dashboard, from TrainJobs on a real API server of which
 * two really train. {@code docs/pictures/make-dashboard} runs it; no build does.
 */
@OnCluster
@EnabledIfSystemProperty(named = "waymark.pictures", matches = ".+")
class DashboardPictures {

  private static final String NAMESPACE = "research";
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Path COMMAND =
      Path.of("../../cli/cluster/target/waymark-cli-cluster.jar").toAbsolutePath();

  private final Path pictures = Path.of(System.getProperty("waymark.pictures"));

  @TempDir Path folder;
  private KubernetesClient client;

  @Test
  void make(Cluster cluster, KubernetesClient own) throws Exception {
    own.resource(new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build())
        .create();
    try (KubernetesClient research =
            new KubernetesClientBuilder()
                .withConfig(
                    new ConfigBuilder(own.getConfiguration()).withNamespace(NAMESPACE).build())
                .build();
        Operator operator = new Operator(own, Files.createDirectory(folder.resolve("ops")));
        ControllerProcess controller =
            new ControllerProcess(
                operator, "agentInjection: {image: \"registry.example/agent:1\"}")) {
      client = research;
      client.resource(parse(IrisProgram.runtime())).forceConflicts().serverSideApply();
      submit(IrisProgram.trainJob(NAMESPACE, "iris-first-try", 80));
      assertThat(train("iris-first-try", operator).waitFor()).isZero();
      finish("iris-first-try");
      submit(
          IrisProgram.trainJob(NAMESPACE, "iris-nightly", 900)
              .replace("spec:\n", "spec:\n  suspend: true\n"));
      submit(
          IrisProgram.trainJob(NAMESPACE, "iris-on-gpus", 900)
              .replace(
                  "numNodes: 1",
                  "numNodes: 2\n    resourcesPerNode: {limits: {nvidia.com/gpu: '4'}}"));
      submit(IrisProgram.trainJob(NAMESPACE, "iris", 4_000));
      photograph(cluster, operator);
    } finally {
      own.namespaces().withName(NAMESPACE).delete();
    }
  }

  private void photograph(Cluster cluster, Operator operator) throws Exception {
    Process dashboard =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                COMMAND.toString(),
                "dashboard",
                "--kubeconfig=" + cluster.kubeconfig(),
                "--namespace=" + NAMESPACE)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = dashboard.inputReader(StandardCharsets.UTF_8)) {
      String link = out.readLine().substring("Page: ".length());
      Process training = train("iris", operator);
      awaitPercent("iris", 25);
      screenshot(link + "#job=research%2Firis", "dashboard", "1000", "light", "900");
      screenshot(link + "#job=research%2Firis", "dashboard-phone", "360", "dark", "740");
      screenshot(link, "dashboard-dark", "1000", "dark", "500");
      training.destroy();
    } finally {
      dashboard.destroy();
    }
  }

  private void screenshot(String link, String name, String width, String scheme, String height)
      throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                pictures.resolve("screenshot").toString(),
                link,
                pictures.resolve(name + ".png").toString(),
                width,
                scheme,
                height)
            .inheritIO();
    builder.environment().put("WAIT_FOR", link.contains("#") ? "canvas" : "#job-rows tr");
    assertThat(builder.start().waitFor()).isZero();
  }

  private void submit(String trainJob) {
    client.resource(parse(trainJob)).create();
  }

  private Process train(String name, Operator operator) throws IOException {
    StandInKubelet kubelet = kubelet(name);
    Pod pod = kubelet.awaitPod(name);
    Process program =
        IrisProgram.start(
            kubelet, pod, operator.host(), Files.createDirectories(folder.resolve(name + "-run")));
    kubelet.run(pod);
    return program;
  }

  private void finish(String name) {
    StandInKubelet kubelet = kubelet(name);
    kubelet.succeed(kubelet.awaitPod(name));
  }

  private StandInKubelet kubelet(String name) {
    return new StandInKubelet(client, folder.resolve(name));
  }

  private void awaitPercent(String name, int percent) {
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              GenericKubernetesResource job =
                  client
                      .genericKubernetesResources("trainer.kubeflow.org/v1alpha1", "TrainJob")
                      .withName(name)
                      .get();
              Object said = job.get("status", "trainerStatus", "progressPercentage");
              return said instanceof Number number && number.intValue() >= percent;
            });
  }

  private GenericKubernetesResource parse(String yaml) {
    return client.getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class);
  }
}
