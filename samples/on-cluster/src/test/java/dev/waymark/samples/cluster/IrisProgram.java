package dev.waymark.samples.cluster;

import dev.waymark.controller.StandInKubelet;
import dev.waymark.controller.StandInKubelet.Start;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The DJL sample, and its program as a pod's container would start it. */
final class IrisProgram {

  private static final Path SAMPLE = Path.of("../djl-iris");
  private static final Path AGENT = Path.of("../../agent/target/waymark-agent.jar");

  private IrisProgram() {}

  static String runtime() throws IOException {
    return Files.readString(SAMPLE.resolve("runtime.yaml"));
  }

  /** Its TrainJob with the agent, and with a report a second, so that some are seen on the way. */
  static String trainJob(String namespace, String name, int epochs) throws IOException {
    return Files.readString(SAMPLE.resolve("trainjob.yaml"))
        .replace("namespace: default", "namespace: " + namespace)
        .replace("name: djl-iris", "name: " + name)
        .replace("waymark.dev/local-root: target", "waymark.dev/inject-agent: 'true'")
        .replace(
            "args: [easytrain]",
            """
            args: [easytrain, --epochs, '%d']
                env: [{name: WAYMARK_INTERVAL, value: '1'}]"""
                .formatted(epochs));
  }

  /**
   * Starts what the container would: with its variables, its files, and its command.
   *
   * @param host the controller's, which is this machine
   * @param folder where it runs, and where its output goes, to the file {@code log}
   */
  static Process start(StandInKubelet kubelet, Pod pod, String host, Path folder)
      throws IOException {
    Start container = kubelet.start(pod);
    // The init container's work.
    Files.copy(AGENT, kubelet.file("/opt/waymark/waymark-agent.jar"));
    Path hosts = Files.writeString(folder.resolve("hosts"), "127.0.0.1 " + host + "\n");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djdk.net.hosts.file=" + hosts);
    Path jar = SAMPLE.resolve("target/djl-iris.jar").toAbsolutePath();
    container.command().stream()
        .skip(1)
        .map(word -> word.equals("/djl-iris.jar") ? jar.toString() : word)
        .forEach(command::add);
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().putAll(container.environment());
    builder.redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile());
    return builder.start();
  }
}
