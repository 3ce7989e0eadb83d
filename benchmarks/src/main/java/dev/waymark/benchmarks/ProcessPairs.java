package dev.waymark.benchmarks;

import dev.waymark.benchmarks.FaultyEndpoint.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs whole programs with and without the agent in turn, and writes what each run took.
 *
 * <p>Every round runs each case once, so that sample i of all cases was taken in the same minute.
 */
public final class ProcessPairs {

  private static final Pattern TRAINED = Pattern.compile("(?m)^Trained in ([0-9.]+) s");
  private static final Pattern RESULT = Pattern.compile("(?m)^Accuracy .*$");
  private static final Path AGENT = Path.of("agent/target/waymark-agent.jar").toAbsolutePath();
  private static final Path SAMPLE =
      Path.of("samples/djl-iris/target/djl-iris.jar").toAbsolutePath();

  private final Map<String, Map<String, List<Double>>> samples = new LinkedHashMap<>();

  private ProcessPairs() {}

  /**
   * Arguments: {@code start}, {@code training} or {@code faults}; number of rounds; result file.
   */
  public static void main(String[] args) throws IOException {
    ProcessPairs pairs = new ProcessPairs();
    int rounds = Integer.parseInt(args[1]);
    String title =
        switch (args[0]) {
          case "start" -> pairs.start(rounds);
          case "training" -> pairs.training(rounds);
          case "faults" -> pairs.faults(rounds);
          default ->
              throw new IllegalArgumentException("start, training or faults, not " + args[0]);
        };
    ResultFile.here(
            title, "benchmarks/run " + args[0], ResultFile.Statistic.MEDIAN, true, pairs.series())
        .write(Path.of(args[2]));
  }

  /** The start of a JVM that has the agent but is in no TrainJob. */
  private String start(int rounds) {
    List<String> java = java("-Xshare:auto");
    for (int i = 0; i < rounds; i++) {
      for (boolean agent : new boolean[] {false, true}) {
        List<String> command = new ArrayList<>(java);
        if (agent) {
          command.add("-javaagent:" + AGENT);
        }
        command.addAll(
            List.of("-cp", System.getProperty("java.class.path"), Nothing.class.getName()));
        TimedProcess run = TimedProcess.run(command, Map.of());
        add(agent ? "agent present, variable unset" : "no agent", "wall", run.seconds());
      }
    }
    return "Start of a JVM that runs an empty main";
  }

  /** The sample in its full length, which trains for some 25 s. */
  private String training(int rounds) throws IOException {
    compare(rounds, List.of(), List.of(Fault.NONE), 5);
    return "The DJL sample in full length, alone and reporting every 5 s";
  }

  /** A shorter training against endpoints that answer badly. */
  private String faults(int rounds) throws IOException {
    compare(rounds, List.of("easytrain", "--epochs", "800"), List.of(Fault.values()), 1);
    return "Training time of the DJL sample while the status endpoint misbehaves, reporting every second";
  }

  private void compare(int rounds, List<String> arguments, List<Fault> faults, int intervalSeconds)
      throws IOException {
    ClientFiles files = ClientFiles.in(Path.of("benchmarks/target/endpoint").toAbsolutePath());
    LoopbackTls tls = LoopbackTls.create(files.folder(), "endpoint");
    LoopbackTls stranger = LoopbackTls.create(files.folder(), "stranger");
    String expected = null;
    for (int i = 0; i < rounds; i++) {
      List<String> plain = java();
      plain.addAll(List.of("-jar", SAMPLE.toString()));
      plain.addAll(arguments);
      TimedProcess alone = TimedProcess.run(plain, Map.of());
      expected = expected == null ? result(alone) : expected;
      record("no agent", alone, expected);

      List<String> attached = java("-javaagent:" + AGENT);
      attached.addAll(plain.subList(1, plain.size()));
      for (Fault fault : faults) {
        try (FaultyEndpoint endpoint = new FaultyEndpoint(tls, stranger, files, fault)) {
          record(
              "agent, endpoint " + fault.words,
              TimedProcess.run(attached, variables(endpoint.port(), files, intervalSeconds)),
              expected);
        }
      }
      if (faults.size() > 1) {
        try (FaultyEndpoint endpoint = new FaultyEndpoint(tls, stranger, files, Fault.NONE)) {
          files.trust(stranger);
          record(
              "agent, endpoint has a certificate of another CA",
              TimedProcess.run(attached, variables(endpoint.port(), files, intervalSeconds)),
              expected);
        }
        int closed;
        try (FaultyEndpoint endpoint = new FaultyEndpoint(tls, stranger, files, Fault.NONE)) {
          closed = endpoint.port();
        }
        record(
            "agent, endpoint is away",
            TimedProcess.run(attached, variables(closed, files, intervalSeconds)),
            expected);
      }
    }
  }

  private static Map<String, String> variables(int port, ClientFiles files, int intervalSeconds) {
    return Map.of(
        "KUBEFLOW_TRAINER_SERVER_URL",
        "https://127.0.0.1:"
            + port
            + "/apis/trainer.kubeflow.org/v1alpha1/namespaces/default/trainjobs/iris/status",
        "KUBEFLOW_TRAINER_SERVER_TOKEN",
        files.token().toString(),
        "KUBEFLOW_TRAINER_SERVER_CA_CERT",
        files.ca().toString(),
        "WAYMARK_INTERVAL",
        Integer.toString(intervalSeconds));
  }

  private void record(String name, TimedProcess run, String expected) {
    if (run.exitCode() != 0 || !result(run).equals(expected)) {
      throw new IllegalStateException(name + ": the program ended otherwise:\n" + run.output());
    }
    Matcher trained = TRAINED.matcher(run.output());
    if (!trained.find()) {
      throw new IllegalStateException("no training time in:\n" + run.output());
    }
    add(name, "training", Double.parseDouble(trained.group(1)));
    add(name, "CPU of the process", run.cpuSeconds());
  }

  private static String result(TimedProcess run) {
    Matcher result = RESULT.matcher(run.output());
    return result.find() ? result.group() : "no result";
  }

  private void add(String name, String figure, double seconds) {
    samples
        .computeIfAbsent(name, n -> new LinkedHashMap<>())
        .computeIfAbsent(figure, f -> new ArrayList<>())
        .add(seconds);
    System.err.printf("%-60s %-20s %8.3f s%n", name, figure, seconds);
  }

  private List<ResultFile.Series> series() {
    List<ResultFile.Series> series = new ArrayList<>();
    samples.forEach(
        (name, figures) ->
            figures.forEach(
                (figure, values) ->
                    series.add(new ResultFile.Series(name, figure, "s", List.copyOf(values)))));
    return series;
  }

  private static List<String> java(String... options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    return command;
  }
}
