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
 * Runs whole programs with and without the agent in turn, and writes what each run took.
 *
 * <p>Each case is compared with a run without the agent right before or right after it: two cases
 * share the one between them. From round to round the order turns round, so that neither of a pair
 * is always the first.
 */
public final class ProcessPairs {

  private static final Path AGENT = Path.of("agent/target/waymark-agent.jar").toAbsolutePath();

  /** The case that the others are compared with. */
  private static final String ALONE = "no agent";

  /**
   * @param run runs it once and tells what that took: seconds by figure
   */
  private record Case(String name, Supplier<Map<String, Double>> run) {}

  private final Map<List<String>, ResultFile.Series> series = new LinkedHashMap<>();

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
    return Map.of("wall", TimedProcess.run(command, Map.of()).seconds());
  }

  /** The sample in its full length, which trains for some 25 s. */
  private String training(int rounds) throws IOException {
    ReportedIris iris = new ReportedIris(AGENT, List.of());
    compare(rounds, new Case(ALONE, iris::alone), List.of(against(iris, Fault.NONE)));
    return "The DJL sample in full length, alone and reporting every 5 s";
  }

  /** A shorter training against endpoints that answer badly. */
  private String faults(int rounds) throws IOException {
    ReportedIris iris = new ReportedIris(AGENT, List.of("easytrain", "--epochs", "800"));
    List<Case> cases = new ArrayList<>();
    for (Fault fault : Fault.values()) {
      cases.add(against(iris, fault));
    }
    cases.add(new Case("agent, endpoint has a certificate of another CA", iris::againstStranger));
    cases.add(new Case("agent, endpoint is away", iris::againstNobody));
    compare(rounds, new Case(ALONE, iris::alone), cases);
    return "Training time of the DJL sample while the status endpoint misbehaves, reporting every 5 s";
  }

  private static Case against(ReportedIris iris, Fault fault) {
    return new Case("agent, endpoint " + fault.words, () -> iris.against(fault));
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
        add(alone, taken.get(alone), null);
        taken.forEach(
            (one, seconds) -> {
              if (one != alone) {
                add(one, seconds, taken.get(alone));
              }
            });
      }
    }
  }

  private void add(Case one, Map<String, Double> taken, Map<String, Double> beside) {
    taken.forEach(
        (figure, seconds) -> {
          Double base = beside == null ? null : beside.get(figure);
          series.merge(
              List.of(one.name(), figure),
              ResultFile.Series.of(one.name(), figure, "s", seconds, base),
              ResultFile.Series::and);
          System.err.printf(
              "%-60s %-20s %8.3f s%s%n",
              one.name(), figure, seconds, base == null ? "" : " beside " + base + " s");
        });
  }
}
