package dev.waymark.controller.status;

import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.kubernetes.ApiServerException;
import dev.waymark.status.TokenVerifier;
import dev.waymark.status.TrainJobKey;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Looks behind the claim of a token: one that is bound to a pod counts only while that pod is there
 * and is one of the TrainJob's own JobSet. Upstream looks at the audience alone. Safe for every
 * thread if its parts are.
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
    /** Empty when there is no such pod; fails when the cluster can't be asked, or doesn't let. */
    CompletionStage<Optional<BoundPod>> find(String namespace, String name);
  }

  /** Knows the JobSets of a cluster. */
  interface JobSets {
    /** Whether the JobSet of that uid is the one that the TrainJob controls. */
    CompletionStage<Boolean> isOwn(TrainJobKey trainJob, String jobSetUid);
  }

  private static final String AUDIENCE_START = "trainer.kubeflow.org/v1alpha1/namespaces/";
  private static final String AUDIENCE_END = "/status";
  private static final int FORBIDDEN = 403;

  private final TokenVerifier signed;
  private final Pods pods;
  private final JobSets jobSets;
  private final boolean required;

  /**
   * Makes a verifier.
   *
   * @param signed checks everything else first
   * @param required refuses tokens that aren't bound to a pod
   */
  PodBinding(TokenVerifier signed, Pods pods, JobSets jobSets, boolean required) {
    this.signed = signed;
    this.pods = pods;
    this.jobSets = jobSets;
    this.required = required;
  }

  @Override
  public CompletionStage<Verdict> verify(String token, String audience, String namespace) {
    return signed
        .verify(token, audience, namespace)
        .thenCompose(
            verdict ->
                verdict instanceof Verdict.Accepted accepted
                    ? checkPod(accepted, audience, namespace)
                    : CompletableFuture.completedFuture(verdict));
  }

  private static TrainJobKey trainJob(String namespace, String audience) {
    String start = AUDIENCE_START + namespace + "/trainjobs/";
    return new TrainJobKey(
        namespace, audience.substring(start.length(), audience.length() - AUDIENCE_END.length()));
  }

  private CompletionStage<Verdict> checkPod(
      Verdict.Accepted accepted, String audience, String namespace) {
    Claims.Pod claimed = accepted.claims().pod();
    if (claimed == null) {
      return CompletableFuture.completedFuture(
          required ? new Verdict.Refused("it is not bound to a pod") : accepted);
    }
    TrainJobKey trainJob = trainJob(namespace, audience);
    return pods.find(namespace, claimed.name())
        .thenCompose(found -> refusal(claimed, found.orElse(null), trainJob))
        .exceptionally(PodBinding::refusalOfUnreadable)
        .thenApply(refusal -> refusal.<Verdict>map(Verdict.Refused::new).orElse(accepted));
  }

  /** Why the pod doesn't count; empty when it does. */
  private CompletionStage<Optional<String>> refusal(
      Claims.Pod claimed, BoundPod found, TrainJobKey trainJob) {
    String pod = "its pod " + claimed.name();
    if (found == null) {
      return refusal(pod + " is gone");
    } else if (!found.uid().equals(claimed.uid())) {
      return refusal(pod + " is gone, another one has its name");
    } else if (!trainJob.name().equals(found.jobSet()) || found.jobSetUid() == null) {
      return refusal(pod + " does not belong to TrainJob " + trainJob);
    }
    return jobSets
        .isOwn(trainJob, found.jobSetUid())
        .thenApply(
            own ->
                own
                    ? Optional.empty()
                    : Optional.of(
                        pod + " belongs to a JobSet that TrainJob " + trainJob + " does not have"));
  }

  private static CompletionStage<Optional<String>> refusal(String why) {
    return CompletableFuture.completedFuture(Optional.of(why));
  }

  /** What the controller has no right to read can't be vouched for; other failures may pass. */
  private static Optional<String> refusalOfUnreadable(Throwable failure) {
    Throwable cause = ApiServer.cause(failure);
    if (cause instanceof ApiServerException refused && refused.code() == FORBIDDEN) {
      return Optional.of("whose pod it is bound to can't be found out: " + refused.getMessage());
    }
    throw new CompletionException(cause);
  }
}
