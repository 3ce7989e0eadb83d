package dev.waymark.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code waymark} command. */
@Command(
    name = "waymark",
    description = "Training progress and job control for JVM deep learning.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
public final class Main implements Runnable {

  /** The one that tells a shell the words of all others. */
  private static final String COMPLETION = "completion";

  /** What says which cluster. The launcher knows them too. */
  private static final List<String> OF_CLUSTER =
      List.of("-n", "--namespace", "--kubeconfig", "--context");

  @Spec private CommandSpec spec;

  private Main() {}

  public static void main(String[] args) {
    String[] words = commandFirst(args);
    System.exit(commandLine(words).execute(words));
  }

  /**
   * Which cluster may be said before the command, as to kubectl; picocli wants to hear it behind.
   */
  static String[] commandFirst(String... args) {
    int command = 0;
    while (command < args.length && args[command].startsWith("-")) {
      String word = args[command];
      if (OF_CLUSTER.contains(word)) {
        command += 2;
      } else if (OF_CLUSTER.stream().anyMatch(it -> word.startsWith(it + "="))) {
        command++;
      } else {
        break;
      }
    }
    if (command >= args.length) {
      return args;
    }
    List<String> words = new ArrayList<>(List.of(args));
    words.add(0, words.remove(command));
    return words.toArray(String[]::new);
  }

  /**
   * The command line, ready to execute arguments; what goes wrong is an exit code.
   *
   * @param args those that will be executed, or none. Picocli takes a while to see what a command
   *     is like: where the first one names a command, only that one is looked at
   */
  public static CommandLine commandLine(String... args) {
    setUpLibraries();
    // Before picocli is loaded, so that what the command needs is loaded at the same time.
    List<Object> commands = needed(args.length == 0 ? "" : args[0]);
    CommandLine waymark = new CommandLine(new Main());
    for (Object command : commands) {
      waymark.addSubcommand(command);
    }
    List<String> elsewhere = commandsElsewhere(waymark);
    if (!elsewhere.isEmpty()) {
      waymark
          .getCommandSpec()
          .usageMessage()
          .footer("%nFor clusters, built when first used:%n  " + String.join(", ", elsewhere));
    }
    return waymark
        // "@file" in a command is for the program: java knows it too.
        .setExpandAtFiles(false)
        .setParameterExceptionHandler(new WrongWords())
        .setExecutionExceptionHandler(new Defects());
  }

  private static List<Object> needed(String name) {
    if (name.equals(RunCommand.NAME)) {
      return List.of(new RunCommand());
    }
    List<Object> all = new ArrayList<>(List.of(new RunCommand()));
    for (CommandSource source : ServiceLoader.load(CommandSource.class)) {
      if (source.names().contains(name) && !name.equals(COMPLETION)) {
        source.prepare();
        return List.of(source.command(name));
      }
      all.addAll(source.commands());
    }
    return all;
  }

  /** By properties that they read when they are loaded. */
  private static void setUpLibraries() {
    System.setProperty(
        "vertx.logger-delegate-factory-class-name",
        "io.vertx.core.logging.SLF4JLogDelegateFactory");
    // From JDK 24 on Netty's use of sun.misc.Unsafe makes the JVM warn on the user's terminal.
    System.setProperty("io.netty.noUnsafe", "true");
    // fabric8 puts a user's key into a store in memory, which takes as long to open as a file's.
    System.setProperty("keystore.pkcs12.keyPbeIterationCount", "1");
  }

  /**
   * What is wrong and what would be right, without burying it under all of the help. This and the
   * next are no lambdas, nor is there another of picocli's types on the way to a command: making an
   * archive of classes would link those types, and leave them out, as they are compiled for Java 5.
   */
  private static final class WrongWords implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException wrong, String[] args) {
      CommandLine command = wrong.getCommandLine();
      command.getErr().println("waymark: " + message(wrong, List.of(args)));
      command.getErr().print("Usage: " + command.getHelp().synopsis(0));
      command.getErr().println("More: " + command.getCommandSpec().qualifiedName() + " --help");
      return ExitCode.USAGE;
    }
  }

  private static final class Defects implements IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(
        Exception failure, CommandLine command, ParseResult parsed) {
      return Defect.explain(failure, command.getErr());
    }
  }

  /** Picocli's words, unless what it does not know is likely to be a program's. */
  private static String message(ParameterException wrong, List<String> args) {
    if (!(wrong instanceof UnmatchedArgumentException unmatched)) {
      return wrong.getMessage();
    }
    String first = unmatched.getUnmatched().get(0);
    if (wrong.getCommandLine().getParent() != null) {
      return takesAProgram(wrong.getCommandLine()) && !args.contains("--")
          ? wrong.getMessage() + ". " + RunCommand.HINT + " -- COMMAND"
          : wrong.getMessage();
    }
    return first.startsWith("-")
        ? wrong.getMessage()
        : "There is no command " + first + "; " + commands(wrong.getCommandLine());
  }

  private static boolean takesAProgram(CommandLine command) {
    return command.getCommandSpec().positionalParameters().stream()
        .anyMatch(it -> it.paramLabel().contains("-- COMMAND"));
  }

  /** Those that the launcher knows of and another artefact has. */
  private static List<String> commandsElsewhere(CommandLine waymark) {
    return Stream.of(System.getProperty("waymark.commands", "").split(" "))
        .filter(name -> !name.isEmpty() && !waymark.getSubcommands().containsKey(name))
        .toList();
  }

  private static String commands(CommandLine waymark) {
    List<String> names =
        Stream.concat(
                waymark.getSubcommands().keySet().stream(), commandsElsewhere(waymark).stream())
            .toList();
    return names.size() == 1
        ? "there is one, " + names.get(0)
        : "there are " + String.join(", ", names);
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Say what to do: " + commands(spec.commandLine()));
  }
}
