package dev.waymark.samples.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A command in a process of its own, in a folder, with nothing of a TrainJob around it. */
final class Command {
  private static final int LIMIT_MINUTES = 5;

  private Command() {}

  /** Runs it to its end; its process and all below are gone when this returns. */
  static Outcome run(Path folder, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "output", ".txt");
    Path errors = Files.createTempFile(folder, "errors", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile());
    Map<String, String> variables = builder.environment();
    variables
        .keySet()
        .removeIf(name -> name.startsWith("KUBEFLOW_") || name.startsWith("WAYMARK_"));
    variables.putAll(environment);
    Process process = builder.start();
    try {
      if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
        throw new AssertionError(
            command + " still runs after " + LIMIT_MINUTES + " min:\n" + Files.readString(errors));
      }
      return new Outcome(process.exitValue(), Files.readString(output), Files.readString(errors));
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      Files.delete(output);
      Files.delete(errors);
    }
  }
}
