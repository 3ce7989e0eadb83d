package dev.waymark.cli.cluster;

import dev.waymark.cli.terminal.StatusText;
import dev.waymark.client.Training;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** TrainJobs, a row each: of each TrainJob only its cells are kept. */
final class TrainingTable {

  private final boolean withNamespace;
  private final Instant now;

  TrainingTable(boolean withNamespace, Instant now) {
    this.withNamespace = withNamespace;
    this.now = now;
  }

  /** The row of a TrainJob. */
  List<Object> cells(Training training) {
    Optional<StatusText> text = training.trainerStatus().map(StatusText::new);
    List<Object> cells = new ArrayList<>();
    if (withNamespace) {
      cells.add(training.namespace());
    }
    cells.add(training.name());
    cells.add(training.state());
    cells.add(text.map(StatusText::percent).orElse(""));
    cells.add(text.map(StatusText::remaining).orElse("").replace(" left", ""));
    cells.add(training.runtimeName());
    cells.add(training.numNodes());
    cells.add(training.device().isKnown() ? training.device() : "");
    cells.add(training.created().map(created -> Ages.of(created, now)).orElse(""));
    return cells;
  }

  /** The table of these rows. */
  Table of(List<List<Object>> rows) {
    List<String> titles = new ArrayList<>(withNamespace ? List.of("NAMESPACE") : List.of());
    titles.addAll(
        List.of("NAME", "STATE", "PROGRESS", "LEFT", "RUNTIME", "NODES", "DEVICE", "AGE"));
    Table table = new Table(titles.toArray(String[]::new));
    rows.forEach(row -> table.row(row.toArray()));
    return table;
  }
}
