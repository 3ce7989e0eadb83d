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

  static List<Refusal> check(PlanRequest request, RuntimePlan plan) {
    List<Refusal> refusals = new ArrayList<>();
    for (PodSet podSet : plan.podSets()) {
      int replica = Math.max(podSet.replicas() - 1, 0);
      int pod = Math.max(podSet.count() - 1, 0);
      String last = plan.name() + "-" + podSet.name() + "-" + replica + "-" + pod;
      int tooMany = last.length() + RANDOM_SUFFIX - LONGEST;
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

  private PodNames() {}
}
