package dev.waymark.cli.cluster;

import dev.waymark.client.CustomTrainer;
import dev.waymark.client.JobInitializer;
import dev.waymark.client.Submission;
import dev.waymark.client.TrainJobHandle;
import dev.waymark.client.TrainerClient;
import dev.waymark.client.TrainerRuntime;
import dev.waymark.trainer.api.InvalidDocumentsException;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerDocuments;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
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

  private static final Set<String> BESIDE_FILES =
      Set.of(
          "--file", "--dry-run", "--watch", "--output", "--namespace", "--kubeconfig", "--context");

  @Option(names = "--runtime", paramLabel = "R", description = "That it runs in.")
  private String runtime;

  @Mixin private NodeFlags node;
  @Mixin private ProgramFlags program;
  @Mixin private JobFlags job;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE.yaml",
      description = "With TrainJobs, instead of flags; - is standard input.")
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
      ResourcePrinter printer = printer(OutputFormat.YAML);
      submissions.forEach(it -> printer.print(it.job()));
      return ExitCodes.DONE;
    }
    List<TrainJobHandle> submitted = new ArrayList<>();
    ResourcePrinter printer = printer(OutputFormat.TABLE);
    for (Submission submission : submissions) {
      submitted.add(client.submit(submission));
      tell(submitted.get(submitted.size() - 1), printer);
    }
    out().flush();
    if (watch) {
      for (TrainJobHandle one : submitted) {
        WatchCommand.watchOne(
            client.inNamespace(one.namespace()), one.name(), TrainingRows.open(out()));
      }
    }
    return ExitCodes.DONE;
  }

  private void tell(TrainJobHandle submitted, ResourcePrinter printer) {
    if (output == null || output == OutputFormat.TABLE) {
      out().println("TrainJob " + submitted.name() + " is submitted");
    } else {
      printer.print(submitted.get().resource());
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
    CustomTrainer trainer = node.trainer(program.program(words, spec()), spec());
    JobInitializer initializer = job.initializer(spec());
    TrainerRuntime chosen = client.runtime(runtime);
    return List.of(client.prepare(chosen, trainer, initializer, job.options(chosen)));
  }

  /** Picocli itself drops the two dashes. */
  private List<String> afterDoubleDash() {
    List<String> arguments = spec().commandLine().getParseResult().originalArgs();
    int dashes = arguments.indexOf("--");
    return dashes < 0 ? List.of() : arguments.subList(dashes + 1, arguments.size());
  }

  private List<Submission> byFiles(TrainerClient client) throws IOException {
    String flag = parameters.isEmpty() ? null : "-- " + String.join(" ", parameters);
    // A method reference to OptionSpec would keep that class, compiled for Java 5, out of the
    // archive of classes (JDK 17).
    for (OptionSpec option : spec().commandLine().getParseResult().matchedOptions()) {
      if (flag == null && !BESIDE_FILES.contains(option.longestName())) {
        flag = option.longestName();
      }
    }
    if (flag != null) {
      throw wrong("Either flags or -f, not both: the file says what to run, not " + flag);
    }
    List<TrainJob> jobs = new ArrayList<>();
    for (Path file : files) {
      jobs.addAll(read(file));
    }
    return jobs.stream().map(client::prepare).toList();
  }

  private List<TrainJob> read(Path file) throws IOException {
    boolean isInput = file.toString().equals("-");
    String title = isInput ? "standard input" : file.toString();
    try {
      TrainerDocuments documents =
          TrainerDocuments.read(title, isInput ? standardInput() : text(file));
      documents.warnings().forEach(it -> err().println("waymark: Note: " + it));
      if (documents.trainJobs().isEmpty()) {
        throw new IOException(title + " has no TrainJob in it");
      }
      return documents.trainJobs();
    } catch (InvalidDocumentsException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static String standardInput() throws IOException {
    return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
  }

  private static String text(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new IOException(file + " is not there", e);
    } catch (MalformedInputException e) {
      throw new IOException(file + " is no text in UTF-8", e);
    } catch (IOException e) {
      throw new IOException(file + " can't be read: " + e.getMessage(), e);
    }
  }
}
