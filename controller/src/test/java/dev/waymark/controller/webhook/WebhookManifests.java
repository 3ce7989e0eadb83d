package dev.waymark.controller.webhook;

import java.util.List;

/** How the webhooks are made known to an API server: as manifests do it, but by address. */
public final class WebhookManifests {

  private static final List<String> KINDS =
      List.of("trainjob", "trainingruntime", "clustertrainingruntime");

  private final String suffix;
  private final String url;
  private final String more;

  private WebhookManifests(String suffix, String url, String more) {
    this.suffix = suffix;
    this.url = url;
    this.more = more;
  }

  /** For all objects; the controller puts its authority in. */
  static String yaml(int port) {
    return new WebhookManifests("", "https://localhost:" + port, "").yaml(KINDS);
  }

  /**
   * For the objects of one namespace, on a cluster that others share; under other names, so that no
   * controller takes them for its own.
   *
   * @param authority who vouches for the webhooks, PEM in Base64
   */
  public static String ofNamespace(String namespace, int port, String authority) {
    String more =
        """
            caBundle: %s
          namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}
        """
            .formatted(authority, namespace);
    return new WebhookManifests("." + namespace, "https://127.0.0.1:" + port, more)
        .yaml(KINDS.subList(0, 2));
  }

  private String yaml(List<String> kinds) {
    StringBuilder yaml = new StringBuilder();
    yaml.append(configuration("Mutating", "defaulter"));
    yaml.append(webhook("defaulter", "mutate", "trainjob"));
    yaml.append("---\n").append(configuration("Validating", "validator"));
    for (String kind : kinds) {
      yaml.append(webhook("validator", "validate", kind));
    }
    return yaml.toString();
  }

  private String configuration(String type, String name) {
    return """
    apiVersion: admissionregistration.k8s.io/v1
    kind: %sWebhookConfiguration
    metadata: {name: %s.trainer.kubeflow.org%s}
    webhooks:
    """
        .formatted(type, name, suffix);
  }

  private String webhook(String start, String path, String kind) {
    return """
    - name: %1$s.%3$s.trainer.kubeflow.org
      admissionReviewVersions: [v1]
      sideEffects: None
      failurePolicy: Fail
      rules:
      - apiGroups: [trainer.kubeflow.org]
        apiVersions: [v1alpha1]
        operations: [CREATE, UPDATE]
        resources: [%3$ss]
      clientConfig:
        url: %4$s/%2$s-trainer-kubeflow-org-v1alpha1-%3$s
    """
            .formatted(start, path, kind, url)
        + more;
  }
}
