package dev.waymark.cli.cluster;

import dev.waymark.cli.terminal.StatusText;
import dev.waymark.cli.text.PrintableText;
import dev.waymark.client.Training;
import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;

/** One TrainJob on several lines. */
final class TrainingDetail {

  private static final int LONGEST = 2000;

  private final Training training;
  private final Instant now;

  TrainingDetail(Training training, Instant now) {
    this.training = training;
    this.now = now;
  }

  void print(PrintWriter out) {
    line(out, "Name", training.name());
    line(out, "Namespace", training.namespace());
    line(out, "State", training.state().label());
    line(out, "Reason", training.reason());
    line(out, "Runtime", training.runtimeName() + (training.runtime() == null ? " (gone)" : ""));
    line(out, "Nodes", Integer.toString(training.numNodes()));
    line(out, "Device", training.device().isKnown() ? training.device() + " a node" : "");
    line(out, "Age", training.created().map(created -> Ages.of(created, now)).orElse(""));
    training.trainerStatus().ifPresent(status -> printStatus(out, status));
    if (!training.steps().isEmpty()) {
      out.println();
      Table steps = new Table("STEP", "POD", "PHASE", "DEVICE", "COUNT");
      training
          .steps()
          .forEach(
              step ->
                  steps.row(
                      step.name(),
                      step.podName(),
                      step.phase(),
                      step.device().type(),
                      step.device().count()));
      steps.print(out);
    }
  }

  private void printStatus(PrintWriter out, TrainerStatus status) {
    line(out, "Progress", new StatusText(status).line());
    if (status.lastUpdatedTime() != null) {
      line(out, "Reported", Ages.of(status.lastUpdatedTime(), now) + " ago");
    }
    List<Metric> metrics = status.metrics() == null ? List.of() : status.metrics();
    if (!metrics.isEmpty()) {
      out.println();
      Table table = new Table("METRIC", "VALUE");
      metrics.forEach(metric -> table.row(metric.name(), metric.value()));
      table.print(out);
    }
  }

  private static void line(PrintWriter out, String title, String text) {
    if (!text.isEmpty()) {
      String padded = title + ":" + " ".repeat(Math.max(1, 12 - title.length()));
      out.println(padded + PrintableText.of(text, LONGEST));
    }
  }
}
