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
  private static final Path FOLDER = Path.of("benchmarks/target/endpoint").toAbsolutePath();

  private final LoopbackTls tls;
  private final LoopbackTls stranger;
  private final List<String> alone;
  private final List<String> attached;
  private String expectedResult;

  /**
   * @param arguments of the sample
   */
  ReportedIris(Path agent, List<String> arguments) throws IOException {
    Path certificates = ClientFiles.in(FOLDER).folder();
    tls = LoopbackTls.create(certificates, "endpoint");
    stranger = LoopbackTls.create(certificates, "stranger");
    alone = TimedProcess.java("-jar", SAMPLE.toString());
    alone.addAll(arguments);
    attached = TimedProcess.java("-javaagent:" + agent, "-jar", SAMPLE.toString());
    attached.addAll(arguments);
  }

  /** Runs without the agent, and tells what that took, by figure. */
  Map<String, Double> alone() {
    return run(alone, Map.of());
  }

  /** Runs with the agent and an endpoint that has a fault. */
  Map<String, Double> against(Fault fault) {
    try {
      ClientFiles files = ClientFiles.in(FOLDER.resolve(fault.name()));
      try (FaultyEndpoint endpoint = new FaultyEndpoint(tls, stranger, files, fault)) {
        return run(
            attached,
            Map.of(
                "KUBEFLOW_TRAINER_SERVER_URL",
                "https://127.0.0.1:"
                    + endpoint.port()
                    + "/apis/trainer.kubeflow.org/v1alpha1/namespaces/default/trainjobs/iris/status",
                "KUBEFLOW_TRAINER_SERVER_TOKEN",
                files.token().toString(),
                "KUBEFLOW_TRAINER_SERVER_CA_CERT",
                files.ca().toString()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, Double> run(List<String> command, Map<String, String> variables) {
    TimedProcess run = TimedProcess.run(command, variables).succeeded();
    Matcher trained = TRAINED.matcher(run.output());
    Matcher result = RESULT.matcher(run.output());
    if (!trained.find() || !result.find()) {
      throw run.failure("told no result");
    }
    if (expectedResult == null) {
      expectedResult = result.group();
    }
    if (!result.group().equals(expectedResult)) {
      throw run.failure("has another result than before, " + expectedResult);
    }
    Map<String, Double> seconds = new LinkedHashMap<>();
    seconds.put("training", Double.valueOf(trained.group(1)));
    seconds.put("CPU of the process", run.cpuSeconds());
    return seconds;
  }
}
