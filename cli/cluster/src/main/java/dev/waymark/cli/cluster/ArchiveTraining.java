package dev.waymark.cli.cluster;

import dev.waymark.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;

/**
 * Loads the classes that the commands for clusters load, so that a JVM that is started with {@code
 * -XX:DumpLoadedClassList} names them, for an archive that later ones map instead of parsing jars.
 * Runs the commands that people wait for, against an API server of its own. The launcher starts it
 * once after each build.
 */
public final class ArchiveTraining {

  private static final List<List<String>> COMMANDS =
      List.of(
          List.of("list"),
          List.of("list", "-o", "yaml"),
          List.of("get", RehearsalCluster.TRAIN_JOB),
          List.of("get", RehearsalCluster.TRAIN_JOB, "-o", "json"),
          List.of("watch", RehearsalCluster.TRAIN_JOB),
          List.of("wait", RehearsalCluster.TRAIN_JOB),
          List.of("events", RehearsalCluster.TRAIN_JOB),
          List.of("runtimes"),
          List.of("version"),
          List.of("submit", "--dry-run", "--runtime=" + RehearsalCluster.RUNTIME, "--gpus=1"));

  /**
   * Takes no arguments.
   *
   * @throws IllegalStateException if a command fails, so that no half of an archive is kept
   */
  public static void main(String[] arguments) throws IOException, GeneralSecurityException {
    Path folder = Files.createTempDirectory("waymark-archive");
    Path kubeconfig = folder.resolve("kubeconfig");
    try (RehearsalCluster cluster = RehearsalCluster.start()) {
      Files.writeString(kubeconfig, cluster.kubeconfig());
      for (List<String> command : COMMANDS) {
        run(command, kubeconfig);
      }
    } finally {
      Files.deleteIfExists(kubeconfig);
      Files.delete(folder);
    }
  }

  private static void run(List<String> command, Path kubeconfig) {
    String[] words = command.toArray(new String[command.size() + 1]);
    words[command.size()] = "--kubeconfig=" + kubeconfig;
    PrintWriter nobody = new PrintWriter(Writer.nullWriter());
    int exitCode = Main.commandLine(words).setOut(nobody).setErr(nobody).execute(words);
    if (exitCode != ExitCodes.DONE) {
      throw new IllegalStateException(command + " ended with " + exitCode);
    }
  }

  private ArchiveTraining() {}
}
