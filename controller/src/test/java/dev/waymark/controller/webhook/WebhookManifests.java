package dev.waymark.controller.webhook;

import java.util.List;

/** How the webhooks are made known to an API server: as manifests do it, but by address. */
final class WebhookManifests {

  static String yaml(int port) {
    StringBuilder yaml = new StringBuilder();
    yaml.append(configuration("Mutating", "defaulter"));
    yaml.append(webhook("defaulter", "mutate", "trainjob", port));
    yaml.append("---\n").append(configuration("Validating", "validator"));
    for (String kind : List.of("trainjob", "trainingruntime", "clustertrainingruntime")) {
      yaml.append(webhook("validator", "validate", kind, port));
    }
    return yaml.toString();
  }

  private static String configuration(String type, String name) {
    return """
    apiVersion: admissionregistration.k8s.io/v1
    kind: %sWebhookConfiguration
    metadata: {name: %s.trainer.kubeflow.org}
    webhooks:
    """
        .formatted(type, name);
  }

  private static String webhook(String start, String path, String kind, int port) {
    return """
    - name: %1$s.%3$s.trainer.kubeflow.org
      admissionReviewVersions: [v1]
      sideEffects: None
      failurePolicy: Fail
      clientConfig:
        url: https://localhost:%4$d/%2$s-trainer-kubeflow-org-v1alpha1-%3$s
      rules:
      - apiGroups: [trainer.kubeflow.org]
        apiVersions: [v1alpha1]
        operations: [CREATE, UPDATE]
        resources: [%3$ss]
    """
        .formatted(start, path, kind, port);
  }

  private WebhookManifests() {}
}
