package dev.waymark.controller.status;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.controller.status.PodBinding.BoundPod;
import dev.waymark.status.TokenVerifier;
import dev.waymark.status.TokenVerifier.Claims;
import dev.waymark.status.TokenVerifier.Verdict;
import dev.waymark.status.TrainJobKey;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodBindingTest {

  private static final TrainJobKey DEMO = new TrainJobKey("team-a", "demo");
  private static final Claims.Pod POD = new Claims.Pod("demo-node-0-0", "1");

  /** The token is bound to pod demo-node-0-0 with uid 1; the TrainJob's own JobSet has uid js. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "1, demo, js, -",
        "-, -, -, its pod demo-node-0-0 is gone",
        "2, demo, js, 'its pod demo-node-0-0 is gone, another one has its name'",
        "1, other, js, its pod demo-node-0-0 does not belong to TrainJob team-a/demo",
        "1, -, -, its pod demo-node-0-0 does not belong to TrainJob team-a/demo",
        "1, demo, -, its pod demo-node-0-0 does not belong to TrainJob team-a/demo",
        "1, demo, foreign, its pod demo-node-0-0 belongs to a JobSet that TrainJob team-a/demo does"
            + " not have",
      })
  void countsAPodOnlyWhileItIsOneOfTheJobSets(
      String uid, String jobSet, String jobSetUid, String refusal) {
    BoundPod found = uid == null ? null : new BoundPod(uid, jobSet, jobSetUid);
    Verdict verdict = verdict(binding(true, POD, completedFuture(Optional.ofNullable(found))));

    if (refusal == null) {
      assertThat(verdict).isInstanceOf(Verdict.Accepted.class);
    } else {
      assertThat(verdict).isEqualTo(new Verdict.Refused(refusal));
    }
  }

  @Test
  void doesNotDecideWhileTheClusterCanNotBeAsked() {
    PodBinding binding = binding(true, POD, failedFuture(new IOException("no route")));

    assertThatThrownBy(() -> verdict(binding)).hasRootCauseMessage("no route");
  }

  @ParameterizedTest
  @CsvSource({"false,true", "true,false"})
  void takesATokenWithoutAPodUnlessOneIsRequired(boolean required, boolean accepted) {
    PodBinding binding = binding(required, null, failedFuture(new AssertionError()));

    assertThat(verdict(binding) instanceof Verdict.Accepted).isEqualTo(accepted);
  }

  @Test
  void keepsARefusalOfTheTokenItself() {
    TokenVerifier refusing =
        (token, audience, namespace) -> completedFuture(new Verdict.Refused("it expired"));
    PodBinding binding =
        new PodBinding(
            refusing,
            (namespace, name) -> {
              throw new AssertionError("not to be asked");
            },
            (trainJob, uid) -> completedFuture(false),
            false);

    assertThat(verdict(binding)).isEqualTo(new Verdict.Refused("it expired"));
  }

  private static Verdict verdict(PodBinding binding) {
    return binding.verify("token", DEMO.audience(), DEMO.namespace()).toCompletableFuture().join();
  }

  private static PodBinding binding(
      boolean required, Claims.Pod pod, CompletionStage<Optional<BoundPod>> found) {
    return new PodBinding(
        (token, audience, namespace) ->
            completedFuture(
                new Verdict.Accepted(
                    new Claims("subject", namespace, pod, List.of(audience), Instant.MAX))),
        (namespace, name) -> {
          assertThat(namespace).isEqualTo("team-a");
          assertThat(name).isEqualTo("demo-node-0-0");
          return found;
        },
        (trainJob, uid) -> completedFuture(trainJob.equals(DEMO) && uid.equals("js")),
        required);
  }
}
