package dev.waymark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waymark.controller.FakeApiServer;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.kubernetes.ApiServerException;
import dev.waymark.controller.status.PodBinding.BoundPod;
import dev.waymark.status.TokenVerifier.Claims;
import dev.waymark.status.TokenVerifier.Verdict;
import dev.waymark.status.TrainJobKey;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobSetPodsTest {

  private static final String POD = "/api/v1/namespaces/team-a/pods/demo-node-0-0";

  private final FakeApiServer apiServer = new FakeApiServer();
  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
  private KubernetesClient client;
  private JobSetPods pods;

  @BeforeEach
  void connect() {
    client = apiServer.newClient();
    pods = new JobSetPods(client, new ApiServer(client), executor);
  }

  @AfterEach
  void close() {
    pods.close();
    client.close();
    executor.shutdownNow();
    apiServer.close();
  }

  @Test
  void asksForAPodThatItHasNotSeen() {
    assertThat(pods.problem()).isPresent();
    assertThat(find()).isEmpty();

    String uid = create();

    // The same question within a second gets the same answer.
    await().until(() -> find().equals(Optional.of(new BoundPod(uid, "demo", "js"))));
  }

  @Test
  void knowsAtOnceThatAPodIsGone() {
    String uid = create();
    pods.start();
    await().until(() -> pods.problem().isEmpty());
    assertThat(find()).contains(new BoundPod(uid, "demo", "js"));

    apiServer.delete(POD);

    await().until(() -> find().isEmpty());
  }

  @Test
  void tellsWhenItHasNoRightToAPod() {
    apiServer.deny(POD);

    assertThatThrownBy(this::find)
        .cause()
        .isInstanceOfSatisfying(
            ApiServerException.class, refused -> assertThat(refused.code()).isEqualTo(403));
  }

  /** As where the role in use gives no right to pods; a failure would be told as the server's. */
  @Test
  void aTokenWhosePodMayNotBeReadIsRefused() {
    apiServer.deny(POD);
    TrainJobKey demo = new TrainJobKey("team-a", "demo");
    PodBinding binding =
        new PodBinding(
            (token, audience, namespace) ->
                CompletableFuture.completedFuture(
                    new Verdict.Accepted(
                        new Claims(
                            "subject",
                            namespace,
                            new Claims.Pod("demo-node-0-0", "1"),
                            List.of(audience),
                            Instant.MAX))),
            pods,
            (trainJob, uid) -> CompletableFuture.completedFuture(true),
            false);

    assertThat(binding.verify("token", demo.audience(), "team-a").toCompletableFuture().join())
        .isInstanceOfSatisfying(
            Verdict.Refused.class,
            refused -> assertThat(refused.toString()).contains("is forbidden"));
  }

  private String create() {
    return apiServer
        .put(
            POD,
            """
            {"apiVersion": "v1", "kind": "Pod",
             "metadata": {"name": "demo-node-0-0", "namespace": "team-a", "labels": {
               "jobset.sigs.k8s.io/jobset-name": "demo", "jobset.sigs.k8s.io/jobset-uid": "js"}}}
            """)
        .at("/metadata/uid")
        .asText();
  }

  private Optional<BoundPod> find() {
    return pods.find("team-a", "demo-node-0-0").toCompletableFuture().join();
  }
}
