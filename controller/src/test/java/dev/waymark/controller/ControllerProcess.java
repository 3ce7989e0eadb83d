package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.conformance.ConformanceFolder;
import dev.waymark.controller.RunningController.Operator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The built controller in a process of its own, which can be killed: started by its script, with
 * the rights, files and ports of a {@link RunningController}.
 */
public final class ControllerProcess implements AutoCloseable {

  private static final Path SCRIPT =
      ConformanceFolder.PATH.resolveSibling("controller/target/waymark-controller");
  private static final long END_SECONDS = 30;

  private final Operator operator;
  private final ControllerEndpoints endpoints;
  private final Path log;
  private final Process process;

  /** Null while the API server asks nobody. */
  private InstalledWebhooks webhooks;

  /**
   * Starts it and waits until it is ready.
   *
   * @param configuration as for {@link RunningController}
   */
  public ControllerProcess(Operator operator, String configuration) throws Exception {
    this.operator = operator;
    endpoints = operator.newEndpoints();
    Path file = Files.createTempFile(operator.folder(), "controller", ".yaml");
    log = operator.folder().resolve(file.getFileName() + ".log");
    Files.writeString(file, endpoints.configuration(configuration));
    List<String> command = new ArrayList<>(List.of(SCRIPT.toString(), "--config=" + file));
    command.addAll(operator.arguments());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    process = builder.start();
    try {
      endpoints.awaitReady();
    } catch (RuntimeException notReady) {
      process.destroyForcibly();
      throw new IllegalStateException("the controller says:\n" + log(), notReady);
    }
  }

  /** Has the API server ask it about TrainJobs and runtimes of the operator's namespace. */
  public void installWebhooks() {
    webhooks = operator.installWebhooks(endpoints);
  }

  /** Where it listens. */
  public ControllerEndpoints endpoints() {
    return endpoints;
  }

  /** What it said. */
  public String log() throws IOException {
    return Files.readString(log);
  }

  /** Ends it as a node does that loses its power: at once, and with nothing put in order. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    awaitEnd();
  }

  /** Asks it to end, as a kubelet does, and waits until it has. */
  @Override
  public void close() throws InterruptedException {
    if (webhooks != null) {
      webhooks.close();
    }
    process.destroy();
    awaitEnd();
  }

  private void awaitEnd() throws InterruptedException {
    if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      assertThat(process.waitFor(END_SECONDS, TimeUnit.SECONDS))
          .as("the controller ended")
          .isTrue();
    }
  }
}
