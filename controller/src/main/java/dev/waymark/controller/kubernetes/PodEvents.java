package dev.waymark.controller.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells operators about this replica, in events about its pod. They are never waited for: losing
 * one hurts nobody, since the log has the same words.
 */
public final class PodEvents {

  private static final Logger log = LoggerFactory.getLogger(PodEvents.class);

  private static final String COMPONENT = "waymark-controller";

  private final ApiServer apiServer;
  private final ResourcePath pod;
  private final String instance;
  private final Clock clock;

  /**
   * Makes none yet.
   *
   * @param pod name of this replica's pod; there need not be one
   * @param instance which replica says them
   */
  public PodEvents(
      ApiServer apiServer, String namespace, String pod, String instance, Clock clock) {
    this.apiServer = apiServer;
    this.pod = ResourcePath.of("v1", "pods", namespace, pod);
    this.instance = instance;
    this.clock = clock;
  }

  /** Makes a warning; comes back at once. */
  @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for an event
  public void warn(String reason, String note) {
    apiServer
        .get(pod)
        .handle((found, failure) -> failure == null ? uid(found) : "")
        .thenCompose(uid -> apiServer.create(events(), event(reason, note, uid).fields()))
        .exceptionally(
            failure -> {
              log.debug("An event was not written: {}", failure.toString());
              return null;
            });
  }

  private static String uid(JsonNode pod) {
    return pod.path("metadata").path("uid").asText("");
  }

  private ResourcePath events() {
    return ResourcePath.of("v1", "events", pod.namespace(), null);
  }

  /** Describing a pod shows the events of its uid. */
  private WarningEvent event(String reason, String note, String uid) {
    Instant now = clock.instant();
    Map<String, Object> involved = new LinkedHashMap<>();
    involved.put("apiVersion", "v1");
    involved.put("kind", "Pod");
    involved.put("name", pod.name());
    involved.put("namespace", pod.namespace());
    if (!uid.isEmpty()) {
      involved.put("uid", uid);
    }
    return new WarningEvent(
        WarningEvent.nameFor(pod.name(), now),
        involved,
        reason,
        note,
        "Starting",
        COMPONENT,
        instance,
        now);
  }
}
