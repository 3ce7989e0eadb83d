package dev.waymark.cli.cluster;

import dev.waymark.client.TrainerClient;
import dev.waymark.client.TrainingEvent;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows what the cluster has told about a TrainJob. */
@Command(
    name = "events",
    description = "Lists the events of a TrainJob, its JobSet, Jobs and pods, the oldest first.",
    footer = "  waymark events iris")
final class EventsCommand extends ClusterCommand {

  @Parameters(paramLabel = "NAME", description = "Of the TrainJob.")
  private String name;

  @Mixin private OutputOption output;

  @Override
  int run(TrainerClient client) {
    List<TrainingEvent> events = client.events(name);
    switch (output.format()) {
      case TABLE -> printTable(events);
      case NAME -> events.forEach(it -> out().println(it.kind() + "/" + it.name()));
      case JSON, YAML ->
          new ResourcePrinter(out(), output.format())
              .printText(Map.of("items", events.stream().map(EventsCommand::fields).toList()));
    }
    return ExitCodes.DONE;
  }

  private void printTable(List<TrainingEvent> events) {
    if (events.isEmpty()) {
      err()
          .println("waymark: No events of TrainJob " + name + "; a cluster keeps them for an hour");
      return;
    }
    Instant now = Instant.now();
    Table table = new Table("AGE", "TYPE", "REASON", "OBJECT", "COUNT", "MESSAGE");
    events.forEach(
        event ->
            table.row(
                Ages.of(event.time(), now),
                event.warning() ? "Warning" : "Normal",
                event.reason(),
                event.kind() + "/" + event.name(),
                event.count(),
                event.message()));
    table.print(out());
  }

  private static Map<String, Object> fields(TrainingEvent event) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("time", event.time().toString());
    fields.put("type", event.warning() ? "Warning" : "Normal");
    fields.put("reason", event.reason());
    fields.put("kind", event.kind());
    fields.put("name", event.name());
    fields.put("count", event.count());
    fields.put("message", event.message());
    return fields;
  }
}
