package dev.waymark.benchmarks;

import dev.waymark.benchmarks.FaultyEndpoint.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The DJL sample as a whole process, alone or reporting to an endpoint. Each run must end with the
 * exit code 0 and the result of the first.
 */
final class ReportedIris {
  private static final Pattern TRAINED = Pattern.compile("(?m)^Trained in ([0-9.]+) s");
  private static final Pattern RESULT = Pattern.compile("(?m)^Accuracy .*$");
  private static final Path SAMPLE =
      Path.of("samples/djl-iris/target/djl-iris.jar").toAbsolutePath();

  private final ClientFiles files;
  private final LoopbackTls tls;
  private final LoopbackTls stranger;
  private final List<String> alone;
  private final List<String> attached;
  private String expectedResult;

  /**
   * @param arguments of the sample
   */
  ReportedIris(Path agent, List<String> arguments) throws IOException {
    files = ClientFiles.in(Path.of("benchmarks/target/endpoint").toAbsolutePath());
    tls = LoopbackTls.create(files.folder(), "endpoint");
    stranger = LoopbackTls.create(files.folder(), "stranger");
    alone = TimedProcess.java("-jar", SAMPLE.toString());
    alone.addAll(arguments);
    attached = TimedProcess.java("-javaagent:" + agent, "-jar", SAMPLE.toString());
    attached.addAll(arguments);
  }

  /** Runs without the agent. */
  Map<String, Double> alone() {
    return run(alone, Map.of());
  }

  /** Runs with the agent and an endpoint that has a fault. */
  Map<String, Double> against(Fault fault) {
    try (FaultyEndpoint endpoint = endpoint(fault)) {
      return run(attached, variables(endpoint.port()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs with the agent, which doesn't trust the endpoint's certificate. */
  Map<String, Double> againstStranger() {
    try (FaultyEndpoint endpoint = endpoint(Fault.NONE)) {
      files.trust(stranger);
      return run(attached, variables(endpoint.port()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs with the agent; nothing listens at the endpoint's port. */
  Map<String, Double> againstNobody() {
    int closed;
    try (FaultyEndpoint endpoint = endpoint(Fault.NONE)) {
      closed = endpoint.port();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return run(attached, variables(closed));
  }

  private FaultyEndpoint endpoint(Fault fault) throws IOException {
    return new FaultyEndpoint(tls, stranger, files, fault);
  }

  private Map<String, String> variables(int port) {
    return Map.of(
        "KUBEFLOW_TRAINER_SERVER_URL",
        "https://127.0.0.1:"
            + port
            + "/apis/trainer.kubeflow.org/v1alpha1/namespaces/default/trainjobs/iris/status",
        "KUBEFLOW_TRAINER_SERVER_TOKEN",
        files.token().toString(),
        "KUBEFLOW_TRAINER_SERVER_CA_CERT",
        files.ca().toString());
  }

  private Map<String, Double> run(List<String> command, Map<String, String> variables) {
    TimedProcess run = TimedProcess.run(command, variables);
    Matcher trained = TRAINED.matcher(run.output());
    Matcher result = RESULT.matcher(run.output());
    if (run.exitCode() != 0 || !trained.find() || !result.find()) {
      throw new IllegalStateException("the program failed:\n" + run.output());
    }
    if (expectedResult == null) {
      expectedResult = result.group();
    }
    if (!result.group().equals(expectedResult)) {
      throw new IllegalStateException(
          "the program's result is another than before, " + expectedResult + ":\n" + run.output());
    }
    Map<String, Double> seconds = new LinkedHashMap<>();
    seconds.put("training", Double.parseDouble(trained.group(1)));
    seconds.put("CPU of the process", run.cpuSeconds());
    return seconds;
  }
}
