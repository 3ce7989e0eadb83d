package dev.waymark.cli;

import dev.waymark.cli.history.RunHistory;
import dev.waymark.cli.run.LocalRun;
import dev.waymark.cli.run.RefusedException;
import dev.waymark.cli.run.RunOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a program or a TrainJob on this machine and shows its progress. */
@Command(
    name = RunCommand.NAME,
    mixinStandardHelpOptions = true,
    customSynopsis = {
      "waymark run [--record FILE] [--port N] [--no-page] -- COMMAND...",
      "       waymark run [--record FILE] [--port N] [--no-page] FILE.yaml...",
    },
    description = {
      "Runs a training program here and shows its progress, in the terminal and on a page in the"
          + " browser. A program that trains with DJL or Deeplearning4j needs no change.",
      "",
      "The first form runs any command. The second runs a TrainJob with its ClusterTrainingRuntime"
          + " or TrainingRuntime, each in the same file or in another."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "n:the program's own; 128 + the signal's number if a signal ended it. Of several nodes: that"
          + " of the first to fail",
      "2:the command line is wrong, or the TrainJob asks for what this machine can't give",
      "125:Waymark itself failed",
      "126:the command is there, but can't be executed",
      "127:the command was not found",
    })
final class RunCommand implements Callable<Integer> {

  static final String NAME = "run";

  /** Where a program and its options belong. */
  static final String HINT = "A command goes behind two dashes:";

  @Spec private CommandSpec spec;

  @Option(
      names = "--record",
      paramLabel = "FILE",
      description = "Append each accepted report to FILE, as a line of JSON.")
  private Path record;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "0",
      description = "Port of the page on loopback; a free one by default.")
  private String port;

  @Option(names = "--no-page", description = "Serve no page.")
  private boolean noPage;

  @Parameters(paramLabel = "FILE.yaml | -- COMMAND", hidden = true)
  private List<String> parameters = List.of();

  @Override
  public Integer call() {
    List<String> command = afterDoubleDash();
    List<String> files = parameters.subList(0, parameters.size() - command.size());
    requireOneOf(command, files);
    if (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65_535) {
      throw wrong("--port must be a port number between 0 and 65535, not \"" + port + '"');
    }
    if (record != null && record.toString().isEmpty()) {
      throw wrong("--record must name a file");
    }
    PrintWriter err = spec.commandLine().getErr();
    try {
      RunOptions options =
          new RunOptions(AgentJar.find(), RunHistory.defaultDirectory()).withRecord(record);
      if (!noPage) {
        options = options.withPage(Integer.parseInt(port));
      }
      LocalRun run =
          command.isEmpty()
              ? LocalRun.ofTrainJob(files.stream().map(Path::of).toList(), options)
              : LocalRun.ofCommand(command, options);
      return run.run();
    } catch (RefusedException e) {
      e.warnings().forEach(warning -> err.println("waymark: Note: " + warning));
      e.reasons().forEach(reason -> err.println("waymark: " + reason));
      return ExitCode.USAGE;
    } catch (IOException e) {
      err.println("waymark: " + e.getMessage());
      return LocalRun.OWN_FAILURE;
    } catch (RuntimeException | InterruptedException | Error e) {
      return Defect.explain(e, err);
    }
  }

  /** What stands after the first "--"; picocli itself drops the two dashes. */
  private List<String> afterDoubleDash() {
    List<String> arguments = spec.commandLine().getParseResult().originalArgs();
    int dashes = arguments.indexOf("--");
    return dashes < 0 ? List.of() : arguments.subList(dashes + 1, arguments.size());
  }

  private void requireOneOf(List<String> command, List<String> files) {
    if (command.isEmpty() && files.isEmpty()) {
      throw wrong("Say what to run: -- COMMAND, or the YAML file of a TrainJob");
    }
    if (!command.isEmpty() && !files.isEmpty()) {
      throw wrong("Either a command or YAML files, not both: " + String.join(" ", files));
    }
    for (String file : files) {
      if (!file.endsWith(".yaml") && !file.endsWith(".yml")) {
        throw wrong("Not a YAML file: " + file + ". " + HINT + " -- " + file + " ...");
      }
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
