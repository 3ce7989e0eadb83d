package dev.waymark.cli.cluster.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waymark.cli.cluster.tests.Waymark.Outcome;
import dev.waymark.client.ClusterVersion;
import dev.waymark.client.ListOptions;
import dev.waymark.client.Listing;
import dev.waymark.client.RuntimeKind;
import dev.waymark.client.TrainOptions;
import dev.waymark.client.TrainerRuntime;
import dev.waymark.client.Training;
import dev.waymark.testbed.OnCluster;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@link ClientOnClusterIT} leaves of commands and methods. */
@OnCluster
@Timeout(180)
class CommandsOnClusterIT extends WithController {

  @Test
  void aTrainingIsResumedWatchedAndItsLogIsRead() throws Exception {
    assumeTrue(StandInNode.isPossibleIn(cluster), "a testbed of this checkout");
    waymark("submit", "--name=demo", "--runtime=rt", "--image=app:1", "--suspend");
    assertThat(waymark("wait", "demo", "--for=suspended").out())
        .isEqualTo("TrainJob demo is Suspended\n");
    FutureTask<Outcome> watching = begin("watch", "demo");
    assertThat(waymark("resume", "demo").out()).isEqualTo("TrainJob demo is resumed\n");

    Pod pod = kubelet.awaitPod("demo");
    try (StandInNode node = new StandInNode(cluster, admin)) {
      node.take(pod);
      node.says(pod, "2026-11-30T10:00:00.000000001Z one\n2026-11-30T10:00:00.000000002Z two\n");
      kubelet.run(pod);
      assertThat(waymark("wait", "demo", "--for=running").out())
          .isEqualTo("TrainJob demo is Running\n");
      assertThat(waymark("logs", "demo").out()).isEqualTo("one\ntwo\n");
      assertThat(waymark("logs", "demo", "--all-nodes").out())
          .isEqualTo("[node-0] one\n[node-0] two\n");
      assertThat(report(pod, 40)).isEqualTo(200);
      await().until(() -> waymark("list").out().contains("40%"));
      kubelet.succeed(pod);
      Outcome watched = watching.get();
      assertThat(watched.exitCode()).isZero();
      assertThat(watched.out()).contains("40%", "demo: Complete");
    }
  }

  @Test
  void whatIsThereIsTold() {
    ClusterVersion version = client.version();
    assertThat(version.kubernetes()).startsWith("v1.");
    assertThat(waymark("version").out())
        .startsWith("waymark test\nKubernetes " + version.kubernetes() + "\n")
        .contains("Progress reports ");
    assertThat(waymark("doctor").out())
        .contains("Trainer API        ok ", "JobSet             ok ")
        .containsPattern("runtimes +ok ");
    assertThat(waymark("runtimes", "-o", "name").out())
        .contains("trainingruntime.trainer.kubeflow.org/rt\n");
    assertThat(client.runtimes().items()).extracting(TrainerRuntime::name).contains("rt");
    TrainerRuntime runtime = client.runtime(RuntimeKind.TRAINING_RUNTIME, "rt");
    assertThat(client.prepare(runtime, null, null, TrainOptions.named("demo")).job().getSpec())
        .returns("TrainingRuntime", it -> it.runtimeRef().kind());
  }

  @Test
  void aRuntimeIsLookedIntoAndNothingIsLeftBehind() throws Exception {
    assumeTrue(StandInNode.isPossibleIn(cluster), "a testbed of this checkout");
    FutureTask<Outcome> looking = begin("runtimes", "--describe=rt");
    await().until(() -> !client.list().items().isEmpty());
    Pod pod = kubelet.awaitPod(client.list().items().get(0).name());
    try (StandInNode node = new StandInNode(cluster, admin)) {
      node.take(pod);
      node.says(pod, "2026-11-30T10:00:00.000000001Z > java -version\n");
      kubelet.run(pod);
      await().until(() -> node.followers(pod) == 1);
      kubelet.succeed(pod);
      node.cut(pod);
      Outcome looked = looking.get();
      assertThat(looked.out()).as(looked.err()).isEqualTo("> java -version\n");
      assertThat(looked.exitCode()).isZero();
    }
    await().until(() -> client.list().items().isEmpty());
  }

  @Test
  void allOfANamespaceAreWatched() throws Exception {
    List<List<String>> seen = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> watching =
        CompletableFuture.runAsync(
            () -> {
              try {
                client.watch(
                    ListOptions.standard(), found -> seen.add(names(found)) && seen.size() < 2);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            task -> new Thread(task, "watch").start());
    await().until(() -> !seen.isEmpty());
    client.train("rt", null, null, TrainOptions.named("demo"));

    watching.join();
    assertThat(seen).containsExactly(List.of(), List.of("demo"));
    assertThat(names(client.list(ListOptions.standard().withoutRuntimes())))
        .containsExactly("demo");
  }

  private static List<String> names(Listing<Training> found) {
    return found.items().stream().map(Training::name).toList();
  }

  /** A command in a thread of its own. */
  private FutureTask<Outcome> begin(String... arguments) {
    FutureTask<Outcome> command = new FutureTask<>(() -> waymark(arguments));
    new Thread(command, arguments[0]).start();
    return command;
  }
}
