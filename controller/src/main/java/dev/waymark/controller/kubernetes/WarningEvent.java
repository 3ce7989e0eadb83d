package dev.waymark.controller.kubernetes;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A warning about an object, as the API server keeps it: a core/v1 event with a first time stamp,
 * because clients (the Kubeflow SDK 0.5.0 among them) leave out events without one, and with the
 * fields of events.k8s.io too.
 *
 * @param name of the event
 * @param involved apiVersion, kind, name, namespace and what else is known of the object; the event
 *     lives in its namespace
 * @param reason one word in CamelCase
 * @param note the text for people; cut where it is longer than upstream's may be
 * @param action what was being done, one word in CamelCase
 * @param component which controller says it
 * @param instance which replica says it
 * @param time when
 */
public record WarningEvent(
    String name,
    Map<String, Object> involved,
    String reason,
    String note,
    String action,
    String component,
    String instance,
    Instant time) {

  private static final int MAX_NOTE = 950;

  /** With exactly six digits behind the point, as the API server's MicroTime wants it. */
  private static final DateTimeFormatter MICROSECONDS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  /** A note that an event takes. */
  public static String cut(String message) {
    return message.length() <= MAX_NOTE ? message : message.substring(0, MAX_NOTE) + " ...";
  }

  /** A name that no other event about an object of this name has. */
  public static String nameFor(String object, Instant now) {
    return object + "." + Long.toHexString(ChronoUnit.MICROS.between(Instant.EPOCH, now));
  }

  /** A time in whole seconds. */
  public static String seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** The event as an object to create. */
  public Map<String, Object> fields() {
    Map<String, Object> event = new LinkedHashMap<>();
    event.put("apiVersion", "v1");
    event.put("kind", "Event");
    event.put("metadata", Map.of("name", name, "namespace", involved.get("namespace")));
    event.put("involvedObject", involved);
    event.put("type", "Warning");
    event.put("reason", reason);
    event.put("message", cut(note));
    event.put("action", action);
    event.put("eventTime", MICROSECONDS.format(time));
    event.put("firstTimestamp", seconds(time));
    event.put("lastTimestamp", seconds(time));
    event.put("count", 1);
    event.put("source", Map.of("component", component));
    event.put("reportingComponent", component);
    event.put("reportingInstance", instance);
    return event;
  }
}
