package dev.waymark.cli.cluster;

import dev.waymark.client.Finding;
import dev.waymark.client.TrainerClient;
import java.util.List;
import picocli.CommandLine.Command;

/** Says whether a cluster is fit for TrainJobs. */
@Command(
    name = "doctor",
    description =
        "Looks at all that TrainJobs need of the cluster: types, JobSet, controller, certificates,"
            + " runtimes, progress reports, network policies, accelerators.",
    footer = "  waymark doctor -n team-a")
final class DoctorCommand extends ClusterCommand {

  @Override
  int run(TrainerClient client) {
    List<Finding> findings = client.diagnose();
    Table table = new Table("PART", "VERDICT", "");
    findings.forEach(it -> table.row(it.part(), word(it.verdict()), it.message()));
    table.print(out());
    return findings.stream().anyMatch(it -> it.verdict() == Finding.Verdict.FAILURE)
        ? ExitCodes.FAILED
        : ExitCodes.DONE;
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
