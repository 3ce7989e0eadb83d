package dev.waymark.cli.cluster.tests;

import dev.waymark.cli.CommandSource;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands for a cluster, run in this JVM. */
final class Waymark {

  private final Path kubeconfig;

  Waymark(Path kubeconfig) {
    this.kubeconfig = kubeconfig;
  }

  /** What a command left behind. */
  record Outcome(int exitCode, String out, String err) {}

  /** Runs a command; where its cluster is comes behind its name. */
  Outcome run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add(1, "--kubeconfig=" + kubeconfig);
    return execute(all.toArray(String[]::new));
  }

  /** Runs a command line as it is. */
  static Outcome execute(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine waymark = new CommandLine(new Root());
    ServiceLoader.load(CommandSource.class)
        .forEach(source -> source.commands().forEach(waymark::addSubcommand));
    int exitCode =
        waymark
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  @Command(name = "waymark", version = "waymark test", mixinStandardHelpOptions = true)
  private static final class Root implements Runnable {
    @Override
    public void run() {}
  }
}
