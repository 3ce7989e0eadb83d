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
 * The DJL sample as whole processes that take turns, alone or reporting to an endpoint. Each run
 * must end with the exit code 0 and the result of the first.
 */
final class ReportedIris {
  private static final Pattern TRAINED = Pattern.compile("Trained in ([0-9.]+) s");
  private static final Path SAMPLE =
      Path.of("samples/djl-iris/target/djl-iris.jar").toAbsolutePath();
  private static final Path FOLDER = Path.of("benchmarks/target/endpoint").toAbsolutePath();

  /** What a training reports at by default. */
  private static final int INTERVAL_SECONDS = 5;

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

  /** Starts it without the agent. */
  Run alone() {
    return new Run(new StoppableProcess(alone, Map.of()), null);
  }

  /**
   * Starts it with the agent and an endpoint that has a fault.
   *
   * @param taking how many programs take turns: the interval is so much longer, for it goes on
   *     while the program is stopped
   */
  Run against(Fault fault, int taking) {
    try {
      ClientFiles files = ClientFiles.in(FOLDER.resolve(fault.name()));
      FaultyEndpoint endpoint = new FaultyEndpoint(tls, stranger, files, fault);
      Map<String, String> variables =
          Map.of(
              "KUBEFLOW_TRAINER_SERVER_URL",
              "https://127.0.0.1:"
                  + endpoint.port()
                  + "/apis/trainer.kubeflow.org/v1alpha1/namespaces/default/trainjobs/iris/status",
              "KUBEFLOW_TRAINER_SERVER_TOKEN",
              files.token().toString(),
              "KUBEFLOW_TRAINER_SERVER_CA_CERT",
              files.ca().toString(),
              "WAYMARK_INTERVAL",
              String.valueOf(INTERVAL_SECONDS * taking));
      return new Run(new StoppableProcess(attached, variables), endpoint);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A run of the sample and, if it reports, its endpoint. */
  final class Run implements AutoCloseable {
    private final StoppableProcess process;
    private final FaultyEndpoint endpoint;

    private Run(StoppableProcess process, FaultyEndpoint endpoint) {
      this.process = process;
      this.endpoint = endpoint;
    }

    StoppableProcess process() {
      return process;
    }

    /** What it took, by figure, without its stops; the process has ended. */
    Map<String, Double> taken() {
      TimedProcess ended = process.ended();
      Map<String, Double> seconds = new LinkedHashMap<>();
      String result = "none";
      for (StoppableProcess.Line line : process.lines()) {
        Matcher trained = TRAINED.matcher(line.text());
        if (trained.lookingAt()) {
          double withStops = Double.parseDouble(trained.group(1));
          seconds.put("training", process.secondsOfTurns(withStops, line.nanos()));
        } else if (line.text().startsWith("Accuracy ")) {
          result = line.text();
        }
      }
      seconds.put("CPU of the process", ended.cpuSeconds());
      if (expectedResult == null) {
        expectedResult = result;
      }
      if (ended.exitCode() != 0 || seconds.size() < 2 || !result.equals(expectedResult)) {
        throw new IllegalStateException(
            "the program failed, or its result is not " + expectedResult + ":\n" + ended.output());
      }
      return seconds;
    }

    @Override
    public void close() {
      process.close();
      if (endpoint != null) {
        endpoint.close();
      }
    }
  }
}
