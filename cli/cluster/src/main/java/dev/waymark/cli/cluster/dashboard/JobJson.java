package dev.waymark.cli.cluster.dashboard;

import static dev.waymark.cli.page.PageJson.text;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waymark.cli.history.MetricValues;
import dev.waymark.cli.history.RunCurves;
import dev.waymark.cli.page.PageJson;
import dev.waymark.client.Step;
import dev.waymark.client.Training;
import dev.waymark.client.TrainingEvent;
import dev.waymark.client.TrainingState;
import dev.waymark.trainer.api.TrainerStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;

/**
 * TrainJobs as the page gets them: what it shows and nothing else, since objects of a cluster hold
 * environments and annotations that are nobody's business in a browser.
 */
final class JobJson {

  /** Those of the last hour, as a rule; the newest. */
  private static final int MAX_EVENTS = 200;

  private static final TrainerStatus NOTHING_SAID = new TrainerStatus(null, null, null, null);

  private JobJson() {}

  /** Namespace and name. */
  static String id(String namespace, String name) {
    return namespace + "/" + name;
  }

  /** Where a TrainJob stands. The same TrainJob gives the same row. */
  static ObjectNode row(Training training) {
    TrainerStatus status = training.trainerStatus().orElse(NOTHING_SAID);
    MetricValues values = MetricValues.of(status);
    boolean isRunning = training.state() == TrainingState.RUNNING;
    String id = text(id(training.namespace(), training.name()));
    ObjectNode row = PageJson.object();
    row.put("id", id);
    row.put("namespace", text(training.namespace()));
    row.put("name", text(training.name()));
    row.put("trainJob", id);
    row.put("phase", training.state().label());
    row.put("state", state(training.state(), values.word("state")));
    row.put("active", isRunning);
    row.put("final", training.state().isFinal());
    row.put("suspended", training.isSuspended());
    row.put("reason", text(training.reason()));
    row.put("runtime", text(training.runtimeName()));
    row.put("nodes", training.numNodes());
    row.put("device", training.device().isKnown() ? text(training.device().toString()) : "");
    row.put("startedAt", PageJson.millis(training.created().orElse(null)));
    row.put("updatedAt", PageJson.millis(status.lastUpdatedTime()));
    row.put("endedAt", PageJson.millis(endedAt(training)));
    row.putNull("exitCode");
    row.put("percent", status.progressPercentage());
    row.put("remainingSeconds", isRunning ? status.estimatedRemainingSeconds() : null);
    row.put("step", values.count("current_step"));
    row.put("totalSteps", values.count("total_steps"));
    row.put("epoch", values.count("current_epoch"));
    row.put("totalEpochs", values.count("total_epochs"));
    row.put("loss", values.number("loss"));
    return row;
  }

  /**
   * The word by which the page shows a state: the cluster's, made finer by the program's own.
   *
   * @param said the metric {@code state}, or null
   */
  static String state(TrainingState state, String said) {
    return switch (state) {
      case CREATED -> "created";
      case SUSPENDED -> "suspended";
      case PENDING -> "pending";
      case RUNNING -> "evaluating".equals(said) ? "evaluating" : "running";
      case COMPLETE -> "stopped_early".equals(said) ? "stopped_early" : "completed";
      case FAILED -> "diverged".equals(said) ? "diverged" : "failed";
    };
  }

  /** Null where it hasn't ended, or nobody says when. */
  private static Instant endedAt(Training training) {
    return !training.state().isFinal()
        ? null
        : training.conditions().stream()
            .filter(it -> it.getType().equals(training.state().label()))
            .filter(it -> "True".equals(it.getStatus()))
            .map(JobJson::time)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
  }

  private static Instant time(Condition condition) {
    try {
      return OffsetDateTime.parse(String.valueOf(condition.getLastTransitionTime())).toInstant();
    } catch (DateTimeException noTime) {
      return null;
    }
  }

  /** All that the page shows of a TrainJob without asking the cluster. */
  static String detail(BoardJob job, RunCurves curves, Instant now) {
    ObjectNode document = PageJson.document(now);
    document.set("job", job.row());
    PageJson.addFigures(
        document,
        MetricValues.metrics(Objects.requireNonNullElse(job.status(), NOTHING_SAID)),
        curves);
    ArrayNode steps = document.putArray("steps");
    job.steps().forEach(step -> steps.add(step(step)));
    return document.toString();
  }

  private static ObjectNode step(Step step) {
    return PageJson.object()
        .put("name", text(step.name()))
        .put("phase", text(step.phase().isEmpty() ? "Pending" : step.phase()))
        .put("device", step.device().isKnown() ? text(step.device().toString()) : "")
        .put("pod", text(step.podName()))
        .put("trouble", text(step.trouble()));
  }

  /**
   * What was told of a TrainJob, the newest first.
   *
   * @param events the oldest first
   */
  static String events(List<TrainingEvent> events, Instant now) {
    ObjectNode document = PageJson.document(now);
    ArrayNode array = document.putArray("events");
    for (int i = events.size() - 1; i >= Math.max(0, events.size() - MAX_EVENTS); i--) {
      array.add(event(events.get(i)));
    }
    return document.toString();
  }

  private static ObjectNode event(TrainingEvent event) {
    return PageJson.object()
        .put("time", PageJson.millis(event.time()))
        .put("warning", event.warning())
        .put("about", text(event.kind() + "/" + event.name()))
        .put("reason", text(event.reason()))
        .put("message", text(event.message()))
        .put("count", event.count());
  }
}
