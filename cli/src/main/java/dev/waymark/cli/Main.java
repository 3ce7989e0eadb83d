package dev.waymark.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code waymark} command. */
@Command(
    name = "waymark",
    description = "Training progress for JVM deep learning.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = RunCommand.class)
public final class Main implements Runnable {

  @Spec private CommandSpec spec;

  private Main() {}

  public static void main(String[] args) {
    System.setProperty(
        "vertx.logger-delegate-factory-class-name",
        "io.vertx.core.logging.SLF4JLogDelegateFactory");
    // From JDK 24 on Netty's use of sun.misc.Unsafe makes the JVM warn on the user's terminal.
    System.setProperty("io.netty.noUnsafe", "true");
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main())
        // "@file" in a command is for the program: java knows it too.
        .setExpandAtFiles(false)
        .setParameterExceptionHandler(Main::explain);
  }

  /** What is wrong and what would be right, without burying it under all of the help. */
  private static int explain(ParameterException wrong, String[] args) {
    CommandLine command = wrong.getCommandLine();
    command.getErr().println("waymark: " + message(wrong, List.of(args)));
    command.getErr().print("Usage: " + command.getHelp().synopsis(0));
    command.getErr().println("More: " + command.getCommandSpec().qualifiedName() + " --help");
    return ExitCode.USAGE;
  }

  /** Picocli's words, unless what it does not know is likely to be a program's. */
  private static String message(ParameterException wrong, List<String> args) {
    if (!(wrong instanceof UnmatchedArgumentException unmatched)) {
      return wrong.getMessage();
    }
    String first = unmatched.getUnmatched().get(0);
    if (wrong.getCommandLine().getParent() != null) {
      String hint = args.contains("--") ? "" : ". " + RunCommand.HINT + " -- COMMAND";
      return wrong.getMessage() + hint;
    }
    return first.startsWith("-")
        ? wrong.getMessage()
        : "There is no command " + first + "; there is one, run";
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do; there is one command, run");
  }
}
