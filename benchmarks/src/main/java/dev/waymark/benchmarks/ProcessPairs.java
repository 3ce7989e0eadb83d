package dev.waymark.benchmarks;

import dev.waymark.benchmarks.FaultyEndpoint.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;

/**
 * Runs whole programs in turn, with and without the agent or one beside the other, and writes what
 * each run took.
 *
 * <p>Each case is compared with a run of the first one right before or right after it: two cases
 * share the one between them. From round to round the order turns round, so that neither of a pair
 * is always the first. Only iterations of Deeplearning4j, which differ by a fifth from one process
 * to the next, take turns of a quarter of a second.
 */
public final class ProcessPairs {

  private static final Path AGENT = Path.of("agent/target/waymark-agent.jar").toAbsolutePath();

  private static final Path WAYMARK = Path.of("waymark").toAbsolutePath();

  /** The case that those with the agent are compared with. */
  private static final String ALONE = "no agent";

  /**
   * @param run runs it once and tells how many seconds that took, by figure
   */
  private record Case(String name, Supplier<Map<String, Double>> run) {}

  private final Map<List<String>, ResultFile.Series> series = new LinkedHashMap<>();

  private ProcessPairs() {}

  /**
   * Arguments: {@code start}, {@code training}, {@code faults}, {@code dl4j}, {@code samediff} or
   * {@code list}; number of rounds; result file.
   */
  public static void main(String[] args) throws IOException {
    ProcessPairs pairs = new ProcessPairs();
    int rounds = Integer.parseInt(args[1]);
    String title =
        switch (args[0]) {
          case "start" -> pairs.start(rounds);
          case "training" -> pairs.training(rounds);
          case "faults" -> pairs.faults(rounds);
          case "dl4j" ->
              pairs.iterations(rounds, List.of(), "the smallest network of Deeplearning4j");
          case "samediff" ->
              pairs.iterations(rounds, List.of(Dl4jIterations.SAMEDIFF), "a small SameDiff");
          case "list" -> pairs.list(rounds);
          default ->
              throw new IllegalArgumentException(
                  "start, training, faults, dl4j, samediff or list, not " + args[0]);
        };
    ResultFile.here(
            title,
            "benchmarks/run " + (args[0].equals(Dl4jIterations.SAMEDIFF) ? "dl4j" : args[0]),
            ResultFile.Statistic.MEDIAN,
            true,
            List.copyOf(pairs.series.values()))
        .write(Path.of(args[2]));
  }

  /** The start of a JVM that has the agent but is in no TrainJob. */
  private String start(int rounds) {
    compare(
        rounds,
        new Case(ALONE, () -> start(List.of())),
        List.of(
            new Case(
                "agent present, variable unset", () -> start(List.of("-javaagent:" + AGENT)))));
    return "Start of a JVM that runs an empty main";
  }

  private static Map<String, Double> start(List<String> options) {
    List<String> command = TimedProcess.java("-Xshare:auto");
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Nothing.class.getName()));
    return Map.of("wall", TimedProcess.run(command, Map.of()).succeeded().seconds());
  }

  /** The sample in its full length, which trains for some 25 s. */
  private String training(int rounds) throws IOException {
    compareIris(rounds, List.of(), Fault.NONE);
    return "The DJL sample in full length, alone and reporting every 5 s";
  }

  /** A training of nearly 30 s against endpoints that answer badly. */
  private String faults(int rounds) throws IOException {
    compareIris(rounds, List.of("easytrain", "--epochs", "1300"), Fault.values());
    return "Training time of the DJL sample while the status endpoint misbehaves, reporting every 5 s";
  }

  private void compareIris(int rounds, List<String> arguments, Fault... faults) throws IOException {
    ReportedIris iris = new ReportedIris(AGENT, arguments);
    List<Case> cases = new ArrayList<>();
    for (Fault fault : faults) {
      cases.add(new Case("agent, endpoint " + fault.words, () -> iris.against(fault)));
    }
    compare(rounds, new Case(ALONE, iris::alone), cases);
  }

  /** Iterations as short as can be; the listener by hand is compared within the process. */
  private String iterations(int rounds, List<String> arguments, String ofWhat) {
    List<String> listened = new ArrayList<>(arguments);
    listened.add(Dl4jIterations.LISTENER);
    for (int round = 0; round < rounds; round++) {
      try (StoppableProcess alone = iterations(List.of(), listened);
          StoppableProcess attached = iterations(List.of("-javaagent:" + AGENT), arguments)) {
        StoppableProcess.takeTurns(
            round % 2 == 0 ? List.of(alone, attached) : List.of(attached, alone));
        Map<String, Double> base = iterations(alone);
        add(ALONE, "us", base, null);
        add("with the agent", "us", iterations(attached), base);
      }
    }
    return "An iteration of " + ofWhat;
  }

  private static StoppableProcess iterations(List<String> options, List<String> arguments) {
    List<String> command = TimedProcess.java(options.toArray(new String[0]));
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), Dl4jIterations.class.getName()));
    command.addAll(arguments);
    return new StoppableProcess(command, Map.of());
  }

  private static Map<String, Double> iterations(StoppableProcess process) {
    TimedProcess ended = process.ended().succeeded();
    Map<String, Double> taken = new LinkedHashMap<>();
    Matcher lines = Dl4jIterations.LINE.matcher(ended.output());
    while (lines.find()) {
      taken.put(lines.group(1), Double.valueOf(lines.group(2)));
    }
    if (taken.isEmpty()) {
      throw ended.failure("told no times");
    }
    return taken;
  }

  /** Two clients of one cluster, which KUBECONFIG names, from their start to their end. */
  private String list(int rounds) {
    Case kubectl = command("kubectl get trainjobs", "kubectl", "get", "trainjobs");
    Case waymark = command("waymark list", WAYMARK.toString(), "list");
    // One remembers which kinds there are, the other is built and remembers its classes.
    for (Case one : List.of(kubectl, waymark)) {
      System.err.println(one.name() + " before that: " + one.run().get());
    }
    compare(rounds, kubectl, List.of(waymark));
    return "TrainJobs listed by two clients of a cluster";
  }

  private static Case command(String name, String... words) {
    return new Case(
        name,
        () -> {
          TimedProcess process = TimedProcess.run(List.of(words), Map.of()).succeeded();
          Map<String, Double> taken = new LinkedHashMap<>();
          taken.put("wall", process.seconds());
          taken.put("CPU", process.cpuSeconds());
          return taken;
        });
  }

  private void compare(int rounds, Case alone, List<Case> cases) {
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < cases.size(); i += 2) {
        List<Case> turns = new ArrayList<>(cases.subList(i, Math.min(i + 2, cases.size())));
        turns.add(1, alone);
        if (round % 2 == 1) {
          Collections.reverse(turns);
        }
        Map<Case, Map<String, Double>> taken = new LinkedHashMap<>();
        turns.forEach(one -> taken.put(one, one.run().get()));
        add(alone.name(), "s", taken.get(alone), null);
        taken.forEach(
            (one, figures) -> {
              if (one != alone) {
                add(one.name(), "s", figures, taken.get(alone));
              }
            });
      }
    }
  }

  private void add(
      String name, String unit, Map<String, Double> taken, Map<String, Double> beside) {
    taken.forEach(
        (figure, value) -> {
          Double base = beside == null ? null : beside.get(figure);
          series.merge(
              List.of(name, figure),
              ResultFile.Series.of(name, figure, unit, value, base),
              ResultFile.Series::and);
          System.err.printf(
              "%-60s %-20s %8.3f %s%s%n",
              name, figure, value, unit, base == null ? "" : " beside " + base);
        });
  }
}
