package dev.waymark.controller.certificates;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waymark.controller.kubernetes.ApiServerException;
import dev.waymark.controller.kubernetes.ResourcePath;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the API server whom to trust when it calls the webhooks, in the two objects by which they
 * are known to it. One that isn't there is left alone: webhooks can be left out.
 */
final class WebhookConfigurations {

  static final String VALIDATING = "validator.trainer.kubeflow.org";
  static final String MUTATING = "defaulter.trainer.kubeflow.org";

  private static final Logger log = LoggerFactory.getLogger(WebhookConfigurations.class);

  private static final String API_VERSION = "admissionregistration.k8s.io/v1";
  private static final List<ResourcePath> PATHS =
      List.of(
          ResourcePath.of(API_VERSION, "validatingwebhookconfigurations", null, VALIDATING),
          ResourcePath.of(API_VERSION, "mutatingwebhookconfigurations", null, MUTATING));

  private static final int TRIES = 5;

  private final PatientApiServer apiServer;

  WebhookConfigurations(PatientApiServer apiServer) {
    this.apiServer = apiServer;
  }

  /**
   * Puts authorities in, where others are.
   *
   * @param authorities PEM
   */
  void trust(String authorities) {
    String bundle =
        Base64.getEncoder().encodeToString(authorities.getBytes(StandardCharsets.ISO_8859_1));
    for (ResourcePath path : PATHS) {
      put(path, bundle);
    }
  }

  private void put(ResourcePath path, String bundle) {
    for (int tried = 1; ; tried++) {
      Optional<ObjectNode> configuration = apiServer.get(path);
      if (configuration.isEmpty() || !change(configuration.get(), bundle)) {
        return;
      }
      try {
        apiServer.replace(path, configuration.get());
        log.info("{} trusts the webhooks' certificate", path);
        return;
      } catch (ApiServerException e) {
        if (!e.isConflict() || tried == TRIES) {
          throw e;
        }
      }
    }
  }

  /** Whether there was something to change. */
  private static boolean change(ObjectNode configuration, String bundle) {
    boolean changed = false;
    for (JsonNode webhook : configuration.path("webhooks")) {
      ObjectNode client = ((ObjectNode) webhook).withObjectProperty("clientConfig");
      if (!bundle.equals(client.path("caBundle").textValue())) {
        client.put("caBundle", bundle);
        changed = true;
      }
    }
    return changed;
  }
}
