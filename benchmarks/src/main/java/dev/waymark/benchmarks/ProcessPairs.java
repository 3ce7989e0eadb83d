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

/**
 * Runs whole programs in turn, with and without the agent or one beside the other, and writes what
 * each run took.
 *
 * <p>Each case is compared with a run of the first one right before or right after it: two cases
 * share the one between them. From round to round the order turns round, so that neither of a pair
 * is always the first.
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
   * Arguments: {@code start}, {@code training}, {@code faults} or {@code list}; number of rounds;
   * result file.
   */
  public static void main(String[] args) throws IOException {
    ProcessPairs pairs = new ProcessPairs();
    int rounds = Integer.parseInt(args[1]);
    String title =
        switch (args[0]) {
          case "start" -> pairs.start(rounds);
          case "training" -> pairs.training(rounds);
          case "faults" -> pairs.faults(rounds);
          case "list" -> pairs.list(rounds);
          default ->
              throw new IllegalArgumentException("start, training, faults or list, not " + args[0]);
        };
    ResultFile.here(
            title,
            "benchmarks/run " + args[0],
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
    return "Training time of the DJL sample while the status endpoint misbehaves, reporting every 5"
        + " s";
  }

  private void compareIris(int rounds, List<String> arguments, Fault... faults) throws IOException {
    ReportedIris iris = new ReportedIris(AGENT, arguments);
    List<Case> cases = new ArrayList<>();
    for (Fault fault : faults) {
      cases.add(new Case("agent, endpoint " + fault.words, () -> iris.against(fault)));
    }
    compare(rounds, new Case(ALONE, iris::alone), cases);
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
        add(alone.name(), taken.get(alone), null);
        taken.forEach(
            (one, figures) -> {
              if (one != alone) {
                add(one.name(), figures, taken.get(alone));
              }
            });
      }
    }
  }

  private void add(String name, Map<String, Double> taken, Map<String, Double> beside) {
    taken.forEach(
        (figure, value) -> {
          Double base = beside == null ? null : beside.get(figure);
          series.merge(
              List.of(name, figure),
              ResultFile.Series.of(name, figure, "s", value, base),
              ResultFile.Series::and);
          System.err.printf(
              "%-60s %-20s %8.3f s%s%n",
              name, figure, value, base == null ? "" : " beside " + base);
        });
  }
}
