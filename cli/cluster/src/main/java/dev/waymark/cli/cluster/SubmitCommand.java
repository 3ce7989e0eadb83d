package dev.waymark.cli.cluster;

import dev.waymark.client.Submission;
import dev.waymark.client.TrainJobHandle;
import dev.waymark.client.TrainerClient;
import dev.waymark.trainer.api.InvalidDocumentsException;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerDocuments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Submits TrainJobs, from flags or from files. */
@Command(
    name = "submit",
    customSynopsis = {
      "waymark submit [--name N] --runtime R --image I [--nodes N] [--gpus N] [--npus N] [--cpu Q]",
      "                      [--memory Q] [--env K=V]... [--dry-run] [--watch] -- COMMAND...",
      "       waymark submit [--dry-run] [--watch] -f FILE.yaml...",
    },
    description = "Submits a TrainJob that is told by flags, or those that are written in files.",
    footer =
        "  waymark submit --runtime djl-cuda --image registry.example/iris:1 --gpus 1 --watch -- \\%n"
            + "      java -jar /app.jar --epochs 20")
final class SubmitCommand extends ClusterCommand {

  @Option(names = "--runtime", paramLabel = "R", description = "That it runs in.")
  private String runtime;

  @Mixin private NodeFlags node;
  @Mixin private ProgramFlags program;
  @Mixin private JobFlags job;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE.yaml",
      description = "With TrainJobs, instead of flags.")
  private List<Path> files = List.of();

  @Option(names = "--dry-run", description = "Print the TrainJob, and submit nothing.")
  private boolean dryRun;

  @Option(names = "--watch", description = "Stay, show its progress, and end as it does.")
  private boolean watch;

  @Option(
      names = {"-o", "--output"},
      paramLabel = OutputFormat.LABEL,
      converter = OutputFormat.Converter.class,
      description = "How to print it; of --dry-run YAML if nothing is said.")
  private OutputFormat output;

  @Parameters(paramLabel = "-- COMMAND", hidden = true)
  private List<String> parameters = List.of();

  @Override
  int run(TrainerClient client) throws IOException, InterruptedException {
    List<Submission> submissions = files.isEmpty() ? byFlags(client) : byFiles(client);
    for (Submission submission : submissions) {
      submission.warnings().forEach(it -> err().println("waymark: Note: " + it));
    }
    if (dryRun) {
      submissions.forEach(it -> printer(OutputFormat.YAML).print(it.job()));
      return ExitCodes.DONE;
    }
    List<TrainJobHandle> submitted = new ArrayList<>();
    for (Submission submission : submissions) {
      submitted.add(client.submit(submission));
      tell(submitted.get(submitted.size() - 1));
    }
    out().flush();
    if (watch) {
      for (TrainJobHandle one : submitted) {
        WatchCommand.watchOne(client, one.name(), TrainingRows.open(out()));
      }
    }
    return ExitCodes.DONE;
  }

  private void tell(TrainJobHandle submitted) {
    if (output == null || output == OutputFormat.TABLE) {
      out().println("TrainJob " + submitted.name() + " is submitted");
    } else {
      printer(output).print(submitted.get().resource());
    }
  }

  private ResourcePrinter printer(OutputFormat unlessSaid) {
    boolean isSaid = output != null && output != OutputFormat.TABLE;
    return new ResourcePrinter(out(), isSaid ? output : unlessSaid);
  }

  private List<Submission> byFlags(TrainerClient client) throws IOException {
    if (runtime == null) {
      throw wrong(
          "Say what it runs in, --runtime R (waymark runtimes lists them), or -f FILE.yaml");
    }
    List<String> words = afterDoubleDash();
    if (words.size() < parameters.size()) {
      throw wrong("A command goes behind two dashes: -- " + String.join(" ", parameters));
    }
    return List.of(
        client.prepare(
            runtime,
            node.trainer(program.program(words, spec()), spec()),
            job.initializer(spec()),
            job.options()));
  }

  /** Picocli itself drops the two dashes. */
  private List<String> afterDoubleDash() {
    List<String> arguments = spec().commandLine().getParseResult().originalArgs();
    int dashes = arguments.indexOf("--");
    return dashes < 0 ? List.of() : arguments.subList(dashes + 1, arguments.size());
  }

  private List<Submission> byFiles(TrainerClient client) throws IOException {
    if (runtime != null || !parameters.isEmpty()) {
      throw wrong("Either flags or -f, not both: the file says what to run");
    }
    List<TrainJob> jobs = new ArrayList<>();
    for (Path file : files) {
      jobs.addAll(read(file));
    }
    return jobs.stream().map(client::prepare).toList();
  }

  private List<TrainJob> read(Path file) throws IOException {
    try {
      TrainerDocuments documents = TrainerDocuments.read(file.toString(), Files.readString(file));
      documents.warnings().forEach(it -> err().println("waymark: Note: " + it));
      if (documents.trainJobs().isEmpty()) {
        throw new IOException(file + " has no TrainJob in it");
      }
      return documents.trainJobs();
    } catch (NoSuchFileException e) {
      throw new IOException(file + " is not there", e);
    } catch (InvalidDocumentsException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
