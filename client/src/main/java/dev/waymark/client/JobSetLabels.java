package dev.waymark.client;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;

/** What JobSet writes on the pods that it makes, and how this client finds a TrainJob's by it. */
final class JobSetLabels {

  static final String JOB_SET = "jobset.sigs.k8s.io/jobset-name";
  static final String REPLICATED_JOB = "jobset.sigs.k8s.io/replicatedjob-name";
  static final String COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";

  /** A label of a pod; empty if it isn't there. */
  static String of(Pod pod, String label) {
    Map<String, String> labels = pod.getMetadata().getLabels();
    return labels == null ? "" : labels.getOrDefault(label, "");
  }

  private JobSetLabels() {}
}
