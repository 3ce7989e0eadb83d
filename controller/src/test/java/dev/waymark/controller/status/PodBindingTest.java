package dev.waymark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.controller.status.PodBinding.BoundPod;
import dev.waymark.status.TokenVerifier;
import dev.waymark.status.TokenVerifier.Claims;
import dev.waymark.status.TokenVerifier.Verdict;
import dev.waymark.status.TrainJobKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodBindingTest {

  private static final TrainJobKey DEMO = new TrainJobKey("team-a", "demo");

  /** The token is bound to pod demo-node-0-0 with uid 1; the TrainJob's JobSet has uid js. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "1, demo, js, js, -",
        "1, demo, js, -, -",
        "-, -, -, js, its pod demo-node-0-0 is gone",
        "2, demo, js, js, 'its pod demo-node-0-0 is gone, another one has its name'",
        "1, other, js, js, its pod demo-node-0-0 does not belong to TrainJob team-a/demo",
        "1, -, -, js, its pod demo-node-0-0 does not belong to TrainJob team-a/demo",
        "1, demo, old, js, its pod demo-node-0-0 belongs to an earlier JobSet of TrainJob"
            + " team-a/demo"
      })
  void countsAPodOnlyWhileItIsOneOfTheJobSets(
      String uid, String jobSet, String podsJobSetUid, String jobSetUid, String refusal) {
    BoundPod found = uid == null ? null : new BoundPod(uid, jobSet, podsJobSetUid);

    assertThat(
            PodBinding.refusal(
                new Claims.Pod("demo-node-0-0", "1"), found, DEMO, Optional.ofNullable(jobSetUid)))
        .isEqualTo(Optional.ofNullable(refusal));
  }

  @ParameterizedTest
  @CsvSource({"false,true", "true,false"})
  void takesATokenWithoutAPodUnlessOneIsRequired(boolean required, boolean accepted) {
    PodBinding binding = binding(required, null);

    assertThat(verdict(binding) instanceof Verdict.Accepted).isEqualTo(accepted);
  }

  @Test
  void asksForThePodInTheNamespaceOfTheTrainJob() {
    PodBinding binding = binding(true, new Claims.Pod("demo-node-0-0", "1"));

    assertThat(verdict(binding)).isInstanceOf(Verdict.Accepted.class);
  }

  @Test
  void keepsARefusalOfTheTokenItself() {
    TokenVerifier refusing =
        (token, audience, namespace) ->
            CompletableFuture.completedFuture(new Verdict.Refused("it expired"));
    PodBinding binding =
        new PodBinding(
            refusing,
            (namespace, name) -> {
              throw new AssertionError("not to be asked");
            },
            trainJob -> Optional.empty(),
            false);

    assertThat(verdict(binding)).isEqualTo(new Verdict.Refused("it expired"));
  }

  private static Verdict verdict(PodBinding binding) {
    return binding.verify("token", DEMO.audience(), DEMO.namespace()).toCompletableFuture().join();
  }

  private static PodBinding binding(boolean required, Claims.Pod pod) {
    Map<String, BoundPod> pods = Map.of("team-a/demo-node-0-0", new BoundPod("1", "demo", "js"));
    return new PodBinding(
        (token, audience, namespace) ->
            CompletableFuture.completedFuture(
                new Verdict.Accepted(
                    new Claims("subject", namespace, pod, List.of(audience), Instant.MAX))),
        (namespace, name) ->
            CompletableFuture.completedFuture(
                Optional.ofNullable(pods.get(namespace + "/" + name))),
        trainJob -> trainJob.equals(DEMO) ? Optional.of("js") : Optional.empty(),
        required);
  }
}
