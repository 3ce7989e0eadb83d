package dev.waymark.cli.cluster;

import dev.waymark.client.Finding;
import dev.waymark.client.TrainerClient;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Says whether a cluster is fit for TrainJobs. */
@Command(
    name = "doctor",
    description =
        "Looks at all that TrainJobs need of the cluster: types, JobSet, controller, certificates,"
            + " runtimes, progress reports, network policies, accelerators.",
    footer = "  waymark doctor -n team-a")
final class DoctorCommand extends ClusterCommand {

  @Mixin private OutputOption output;

  @Override
  int run(TrainerClient client) {
    List<Finding> findings = client.diagnose();
    switch (output.format()) {
      case TABLE -> {
        Table table = new Table("PART", "VERDICT", "");
        findings.forEach(it -> table.row(it.part(), word(it.verdict()), it.message()));
        table.print(out());
      }
      case NAME -> findings.forEach(it -> out().println(it.part()));
      case JSON, YAML ->
          new ResourcePrinter(out(), output.format())
              .printText(Map.of("items", findings.stream().map(DoctorCommand::fields).toList()));
    }
    return findings.stream().anyMatch(it -> it.verdict() == Finding.Verdict.FAILURE)
        ? ExitCodes.FAILED
        : ExitCodes.DONE;
  }

  private static Map<String, Object> fields(Finding finding) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("part", finding.part());
    fields.put("verdict", finding.verdict().name().toLowerCase(Locale.ROOT));
    fields.put("message", finding.message());
    return fields;
  }

  private static String word(Finding.Verdict verdict) {
    return switch (verdict) {
      case OK -> "ok";
      case WARNING -> "warning";
      case FAILURE -> "FAILURE";
      case UNKNOWN -> "unknown";
    };
  }
}
