package dev.waymark.client;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Chooses the events that are about a TrainJob or what has come of it: by the uids of the objects
 * that are there, and for pods that are gone by how Jobs name their pods. Knows all the places in
 * which an event keeps its time; those recorded by events.k8s.io/v1 have no firstTimestamp.
 */
final class EventReader {

  private final Set<String> uids = new HashSet<>();
  private final Set<String> jobs = new HashSet<>();

  /** The TrainJob, its JobSet, its Jobs and its pods. */
  EventReader(List<? extends HasMetadata> objects) {
    for (HasMetadata object : objects) {
      uids.add(object.getMetadata().getUid());
      if (object.getKind().equals("Job")) {
        jobs.add(object.getMetadata().getName());
      }
    }
  }

  /** Whether an event is about one of them. */
  boolean isOfTrainJob(Event event) {
    ObjectReference about = event.getInvolvedObject();
    if (about == null) {
      return false;
    }
    return (about.getUid() != null && uids.contains(about.getUid()))
        || ("Pod".equals(about.getKind()) && isPodOfJob(about.getName()));
  }

  /** A Job names its pods after itself, their index and five random characters. */
  private boolean isPodOfJob(String pod) {
    return pod != null
        && jobs.stream().anyMatch(job -> pod.matches(Pattern.quote(job) + "-[0-9]+-[a-z0-9]{5}"));
  }

  /** The TrainJob's own events, the oldest first. */
  static List<TrainingEvent> read(List<Event> events) {
    return events.stream()
        .map(EventReader::read)
        .sorted(Comparator.comparing(TrainingEvent::time))
        .toList();
  }

  private static TrainingEvent read(Event event) {
    ObjectReference about = event.getInvolvedObject();
    return new TrainingEvent(
        time(event),
        "Warning".equals(event.getType()),
        Objects.requireNonNullElse(about.getKind(), ""),
        Objects.requireNonNullElse(about.getName(), ""),
        Objects.requireNonNullElse(event.getReason(), ""),
        Objects.requireNonNullElse(event.getMessage(), "").strip(),
        count(event));
  }

  private static int count(Event event) {
    Integer series = event.getSeries() == null ? null : event.getSeries().getCount();
    Integer count = series == null ? event.getCount() : series;
    return count == null ? 1 : Math.max(count, 1);
  }

  private static Instant time(Event event) {
    return Stream.of(
            event.getSeries() == null || event.getSeries().getLastObservedTime() == null
                ? null
                : event.getSeries().getLastObservedTime().getTime(),
            event.getLastTimestamp(),
            event.getEventTime() == null ? null : event.getEventTime().getTime(),
            event.getFirstTimestamp(),
            event.getMetadata().getCreationTimestamp())
        .map(EventReader::instant)
        .flatMap(Optional::stream)
        .findFirst()
        .orElse(Instant.EPOCH);
  }

  private static Optional<Instant> instant(String time) {
    try {
      return time == null || time.isEmpty()
          ? Optional.empty()
          : Optional.of(OffsetDateTime.parse(time).toInstant());
    } catch (DateTimeException notATime) {
      return Optional.empty();
    }
  }
}
