package dev.waymark.controller;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.controller.webhook.WebhookManifests;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.List;

/** A controller's webhooks, which a real API server asks about one namespace until it is closed. */
final class InstalledWebhooks implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Refused by nobody but a webhook: its runtime isn't there. */
  private static final String REFUSED =
      """
      apiVersion: trainer.kubeflow.org/v1alpha1
      kind: TrainJob
      metadata: {name: tried}
      spec: {runtimeRef: {kind: TrainingRuntime, name: no-such-runtime}}
      """;

  private final KubernetesClient admin;
  private final List<HasMetadata> configurations;

  /**
   * Makes them known, in the place of those of an earlier controller, and waits until they are
   * asked.
   *
   * @param admin client in the namespace that they are asked about
   * @param authority who vouches for them, PEM in Base64
   */
  InstalledWebhooks(KubernetesClient admin, String authority, int port) {
    this.admin = admin;
    String yaml = WebhookManifests.ofNamespace(admin.getNamespace(), port, authority);
    configurations = admin.load(new ByteArrayInputStream(yaml.getBytes(UTF_8))).items();
    configurations.forEach(it -> admin.resource(it).forceConflicts().serverSideApply());
    await().atMost(LIMIT).untilAsserted(() -> assertThat(answer()).isEqualTo(403));
  }

  /** With which status a TrainJob is refused; 0: it is not. */
  private int answer() {
    try {
      admin
          .resource(
              admin
                  .getKubernetesSerialization()
                  .unmarshal(REFUSED, GenericKubernetesResource.class))
          .dryRun()
          .create();
      return 0;
    } catch (KubernetesClientException e) {
      return e.getCode();
    }
  }

  @Override
  public void close() {
    admin.resourceList(configurations).delete();
  }
}
