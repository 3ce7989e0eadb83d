package dev.waymark.benchmarks.eta;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Locale;

/**
 * Compares Waymark's estimate of the remaining time with Hugging Face's formula on generated
 * sessions: prints a table for seeds 1 to 5, 200 sessions each, and writes every session's error to
 * the file that is its argument.
 */
public final class EtaSessions {
  private static final int SEEDS = 5;
  private static final int SESSIONS = 200;
  private static final String DEFAULT_FILE = "benchmarks/results/eta-sessions.json";

  private EtaSessions() {}

  public static void main(String[] args) throws IOException {
    ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    ObjectNode file = json.createObjectNode();
    file.put("title", "Error of the remaining time on generated sessions, " + SESSIONS + " a seed");
    file.put("commit", commit());
    file.put("jdk", System.getProperty("java.version"));
    file.put(
        "machine",
        Runtime.getRuntime().availableProcessors()
            + " processors, "
            + System.getProperty("os.name")
            + " "
            + System.getProperty("os.arch"));
    file.put("date", LocalDate.now(ZoneOffset.UTC).toString());
    file.put("command", "benchmarks/run eta");
    file.put("paired", true);
    ArrayNode series = file.putArray("series");

    System.out.println("| seed | Hugging Face's formula | Waymark | ratio |");
    System.out.println("| --- | --- | --- | --- |");
    for (int seed = 1; seed <= SEEDS; seed++) {
      double[] theirs = new double[SESSIONS];
      double[] ours = new double[SESSIONS];
      SessionGenerator generator = new SessionGenerator(seed);
      for (int i = 0; i < SESSIONS; i++) {
        Session session = generator.next();
        theirs[i] = EtaError.ofHuggingFace(session);
        ours[i] = EtaError.ofWaymark(session);
      }
      addSeries(series, "seed " + seed + ", Hugging Face's formula", theirs);
      addSeries(series, "seed " + seed + ", Waymark", ours);
      System.out.printf(
          Locale.ROOT,
          "| %d | %.1f %% | %.1f %% | %.2f |%n",
          seed,
          mean(theirs),
          mean(ours),
          mean(ours) / mean(theirs));
    }

    Path target = Path.of(args.length == 0 ? DEFAULT_FILE : args[0]);
    Files.writeString(target, json.writeValueAsString(file) + "\n");
  }

  private static void addSeries(ArrayNode series, String name, double[] errors) {
    ObjectNode one = series.addObject();
    one.put("name", name);
    one.put("figure", "mean error over a session");
    one.put("unit", "%");
    ArrayNode samples = one.putArray("samples");
    Arrays.stream(errors).map(error -> Math.round(error * 1000) / 1000.0).forEach(samples::add);
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static String commit() throws IOException {
    Process git = new ProcessBuilder("git", "rev-parse", "--short=12", "HEAD").start();
    return new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }
}
