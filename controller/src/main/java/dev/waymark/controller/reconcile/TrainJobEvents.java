package dev.waymark.controller.reconcile;

import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.kubernetes.ApiServerException;
import dev.waymark.controller.kubernetes.ResourcePath;
import dev.waymark.controller.kubernetes.WarningEvent;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerApi;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells users about their TrainJobs in events. The same words about the same TrainJob are one event
 * with a count, written at most once a minute. Words of events are never waited for: losing one
 * hurts nobody.
 */
final class TrainJobEvents {

  static final String CREATION_FAILED = "TrainJobResourcesCreationFailed";

  static final String AGENT_NOT_INJECTED = "AgentNotInjected";

  private static final Logger log = LoggerFactory.getLogger(TrainJobEvents.class);

  private static final String CONTROLLER = "trainer-trainjob-controller";
  private static final String KIND = "events";

  private static final int REMEMBERED = 4096;
  private static final Duration REPEAT_INTERVAL = Duration.ofMinutes(1);

  /** What makes two events the same. */
  private record Key(String uid, String reason, String note) {}

  /** An event that was written, and how often its words were said. */
  private record Said(String name, int count, Instant writtenAt) {}

  private final Writes writes;
  private final String instance;
  private final Clock clock;
  private final Map<Key, Said> said =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Said> eldest) {
          return size() > REMEMBERED;
        }
      };

  /**
   * Makes events.
   *
   * @param instance which replica says them
   */
  TrainJobEvents(Writes writes, String instance, Clock clock) {
    this.writes = writes;
    this.instance = instance;
    this.clock = clock;
  }

  /** A warning that the TrainJob's objects could not be made. */
  void creationFailed(TrainJob trainJob, Throwable failure) {
    String message =
        "TrainJob resources reconciliation failed: "
            + Objects.requireNonNullElse(failure.getMessage(), failure.toString());
    warn(trainJob, CREATION_FAILED, message);
  }

  /** A warning. */
  @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for an event
  void warn(TrainJob trainJob, String reason, String message) {
    String note = WarningEvent.cut(message);
    Key key = new Key(trainJob.getMetadata().getUid(), reason, note);
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    Said next;
    boolean first;
    synchronized (said) {
      Said before = said.get(key);
      first = before == null;
      int count = first ? 1 : before.count() + 1;
      boolean due = first || now.isAfter(before.writtenAt().plus(REPEAT_INTERVAL));
      next =
          new Said(
              first ? WarningEvent.nameFor(trainJob.name(), now) : before.name(),
              count,
              due ? now : before.writtenAt());
      said.put(key, next);
      if (!due) {
        return;
      }
    }
    if (first) {
      send(writes.create(KIND, path(trainJob, null), event(trainJob, reason, note, next)))
          .thenAccept(failure -> failure.ifPresent(any -> forget(key, next.name())));
    } else {
      Map<String, Object> counted =
          Map.of("count", next.count(), "lastTimestamp", WarningEvent.seconds(next.writtenAt()));
      send(writes.mergeLater(KIND, path(trainJob, next.name()), counted))
          .thenAccept(
              failure ->
                  failure
                      .filter(TrainJobEvents::isGone)
                      .ifPresent(gone -> forget(key, next.name())));
    }
  }

  /** What became of a request: empty when it was done, else why not, which is logged here. */
  private static CompletableFuture<Optional<Throwable>> send(CompletableFuture<byte[]> request) {
    return request.handle(
        (written, failure) -> {
          Optional<Throwable> cause = Optional.ofNullable(failure).map(ApiServer::cause);
          cause.ifPresent(why -> log.debug("An event was not written: {}", why.toString()));
          return cause;
        });
  }

  /** The API server lets go of events after an hour or so. */
  private static boolean isGone(Throwable failure) {
    return failure instanceof ApiServerException answer && answer.isNotFound();
  }

  /** An event that is not there: the next time its words are said they make one. */
  private void forget(Key key, String name) {
    synchronized (said) {
      said.computeIfPresent(key, (any, known) -> known.name().equals(name) ? null : known);
    }
  }

  private static ResourcePath path(TrainJob trainJob, String name) {
    return ResourcePath.of("v1", KIND, trainJob.getMetadata().getNamespace(), name);
  }

  private Map<String, Object> event(TrainJob trainJob, String reason, String note, Said said) {
    Map<String, Object> involved =
        Map.of(
            "apiVersion",
            TrainerApi.API_VERSION,
            "kind",
            "TrainJob",
            "name",
            trainJob.name(),
            "namespace",
            trainJob.getMetadata().getNamespace(),
            "uid",
            trainJob.getMetadata().getUid(),
            "resourceVersion",
            trainJob.getMetadata().getResourceVersion());
    return new WarningEvent(
            said.name(),
            involved,
            reason,
            note,
            "Reconciling",
            CONTROLLER,
            instance,
            said.writtenAt())
        .fields();
  }
}
