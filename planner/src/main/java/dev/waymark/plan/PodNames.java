package dev.waymark.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * A pod's name is made of the names around it and must fit a DNS label. The API accepts TrainJobs
 * whose pods would not; JobSet 0.12 then refuses them, long after {@code kubectl apply}.
 */
final class PodNames {

  private static final int LONGEST = 63;

  /** What the Job controller appends to an index: a hyphen and five characters. */
  private static final int RANDOM_SUFFIX = 6;

  /** Where pods have no index; Kubernetes then cuts their names to what fits. */
  private static final String NON_INDEXED = "NonIndexed";

  static List<Refusal> check(PlanRequest request, RuntimePlan plan) {
    List<Refusal> refusals = new ArrayList<>();
    for (PodSet podSet : plan.podSets()) {
      int tooMany = longestName(plan, podSet) - LONGEST;
      if (tooMany > 0) {
        refusals.add(
            request.forbid(
                "metadata.name",
                "the pods of job "
                    + podSet.name()
                    + " would have names of more than "
                    + LONGEST
                    + " characters: make the name "
                    + tooMany
                    + " shorter"));
      }
    }
    return refusals;
  }

  /** Of the last pod, and as JobSet counts: without pods the last one is -1. */
  private static int longestName(RuntimePlan plan, PodSet podSet) {
    String job = plan.name() + "-" + podSet.name() + "-" + (podSet.replicas() - 1);
    boolean indexed = !NON_INDEXED.equals(podSet.job().template().getSpec().getCompletionMode());
    return indexed ? (job + "-" + (podSet.count() - 1)).length() + RANDOM_SUFFIX : job.length();
  }

  private PodNames() {}
}
