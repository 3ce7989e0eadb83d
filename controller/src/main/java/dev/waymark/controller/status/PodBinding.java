package dev.waymark.controller.status;

import dev.waymark.status.TokenVerifier;
import dev.waymark.status.TrainJobKey;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Looks behind the claim of a token: one that is bound to a pod counts only while that pod is there
 * and is one of the TrainJob's JobSet. Upstream looks at the audience alone. Safe for every thread
 * if its parts are.
 */
final class PodBinding implements TokenVerifier {

  /**
   * What counts of a pod.
   *
   * @param uid never null
   * @param jobSet name of the JobSet that it belongs to, or null
   * @param jobSetUid of that JobSet, or null
   */
  record BoundPod(String uid, String jobSet, String jobSetUid) {}

  /** Finds the pods of a cluster. */
  interface Pods {
    /** Empty when there is no such pod. */
    CompletionStage<Optional<BoundPod>> find(String namespace, String name);
  }

  private static final String AUDIENCE_START = "trainer.kubeflow.org/v1alpha1/namespaces/";
  private static final String AUDIENCE_END = "/status";

  private final TokenVerifier signed;
  private final Pods pods;
  private final Function<TrainJobKey, Optional<String>> jobSetUids;
  private final boolean required;

  /**
   * Makes a verifier.
   *
   * @param signed checks everything else first
   * @param jobSetUids uid of a TrainJob's JobSet, empty when it isn't known
   * @param required refuses tokens that aren't bound to a pod
   */
  PodBinding(
      TokenVerifier signed,
      Pods pods,
      Function<TrainJobKey, Optional<String>> jobSetUids,
      boolean required) {
    this.signed = signed;
    this.pods = pods;
    this.jobSetUids = jobSetUids;
    this.required = required;
  }

  @Override
  public CompletionStage<Verdict> verify(String token, String audience, String namespace) {
    return signed
        .verify(token, audience, namespace)
        .thenCompose(
            verdict ->
                verdict instanceof Verdict.Accepted accepted
                    ? checkPod(accepted, trainJob(namespace, audience))
                    : CompletableFuture.completedFuture(verdict));
  }

  private static TrainJobKey trainJob(String namespace, String audience) {
    String start = AUDIENCE_START + namespace + "/trainjobs/";
    return new TrainJobKey(
        namespace, audience.substring(start.length(), audience.length() - AUDIENCE_END.length()));
  }

  private CompletionStage<Verdict> checkPod(Verdict.Accepted accepted, TrainJobKey trainJob) {
    Claims.Pod claimed = accepted.claims().pod();
    if (claimed == null) {
      return CompletableFuture.completedFuture(
          required ? new Verdict.Refused("it is not bound to a pod") : accepted);
    }
    return pods.find(trainJob.namespace(), claimed.name())
        .thenApply(
            found ->
                refusal(claimed, found.orElse(null), trainJob, jobSetUids.apply(trainJob))
                    .<Verdict>map(Verdict.Refused::new)
                    .orElse(accepted));
  }

  /** Why the pod doesn't count; empty when it does. */
  static Optional<String> refusal(
      Claims.Pod claimed, BoundPod found, TrainJobKey trainJob, Optional<String> jobSetUid) {
    String pod = "its pod " + claimed.name();
    if (found == null) {
      return Optional.of(pod + " is gone");
    } else if (!found.uid().equals(claimed.uid())) {
      return Optional.of(pod + " is gone, another one has its name");
    } else if (!trainJob.name().equals(found.jobSet())) {
      return Optional.of(pod + " does not belong to TrainJob " + trainJob);
    } else if (jobSetUid.isPresent() && !jobSetUid.get().equals(found.jobSetUid())) {
      return Optional.of(pod + " belongs to an earlier JobSet of TrainJob " + trainJob);
    }
    return Optional.empty();
  }
}
