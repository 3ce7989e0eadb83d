package dev.waymark.cli.cluster;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Teaches a shell to complete this command's words. */
@Command(
    name = "completion",
    description = "Prints a script that completes waymark's words in bash and zsh.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = "  source <(waymark completion)")
final class CompletionCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine()
        .getOut()
        .print(AutoComplete.bash(spec.root().name(), spec.root().commandLine()));
    spec.commandLine().getOut().flush();
    return ExitCodes.DONE;
  }
}
