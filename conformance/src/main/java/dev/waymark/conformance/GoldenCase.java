package dev.waymark.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * One case of the golden data: what was given to upstream's controller on a real API server, and
 * what it did. {@code conformance/README.md} describes the files.
 */
public final class GoldenCase {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String name;
  private final Path inputs;
  private final Path expected;

  private GoldenCase(String name) {
    this.name = name;
    this.inputs = ConformanceFolder.PATH.resolve("inputs").resolve(name);
    this.expected = ConformanceFolder.PATH.resolve("expected").resolve(name);
  }

  /** Every case, by name. */
  public static List<GoldenCase> all() {
    try (Stream<Path> folders = Files.list(ConformanceFolder.PATH.resolve("inputs"))) {
      return folders
          .map(folder -> new GoldenCase(folder.getFileName().toString()))
          .sorted((a, b) -> a.name.compareTo(b.name))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The case of that name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static GoldenCase named(String name) {
    GoldenCase golden = new GoldenCase(name);
    if (!Files.isDirectory(golden.inputs)) {
      throw new IllegalArgumentException("no conformance case is called " + name);
    }
    return golden;
  }

  /** Also the namespace in which it ran. */
  public String name() {
    return name;
  }

  /** YAML of the objects that were there before the TrainJobs, runtimes mostly; may be empty. */
  public String objects() {
    return input("objects.yaml").orElse("");
  }

  /** YAML of the TrainJobs; may be empty. */
  public String trainJobs() {
    return input("trainjob.yaml").orElse("");
  }

  /** Answers to the creations: {@code objects} and {@code trainjobs}, each by name. */
  public JsonNode created() {
    return expected("create.json");
  }

  /** The HTTP status with which the TrainJob's creation was answered. */
  public int answerTo(String trainJob) {
    JsonNode answer = created().path("trainjobs").path(trainJob).path("code");
    if (!answer.isInt()) {
      throw new IllegalArgumentException(name + " has no TrainJob " + trainJob);
    }
    return answer.intValue();
  }

  /** Names of the TrainJobs whose creation was tried, accepted or not. */
  public List<String> trainJobNames() {
    return StreamSupport.stream(
            ((Iterable<String>) () -> created().path("trainjobs").fieldNames()).spliterator(),
            false)
        .sorted()
        .toList();
  }

  /**
   * The state after a step; 0 is after the creation. Its {@code objects} are named {@code
   * Kind/name}, and {@code steps} are what was done and how it was answered.
   */
  public JsonNode after(int step) {
    return expected("after-" + step + ".json");
  }

  /** How many steps follow the creation. */
  public int steps() {
    int steps = 0;
    while (Files.exists(expected.resolve("after-" + (steps + 1) + ".json"))) {
      steps++;
    }
    return steps;
  }

  /** Its name, for the titles of parameterised tests. */
  @Override
  public String toString() {
    return name;
  }

  private Optional<String> input(String file) {
    Path path = inputs.resolve(file);
    try {
      return Files.exists(path)
          ? Optional.of(Files.readString(path, StandardCharsets.UTF_8))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private JsonNode expected(String file) {
    try {
      return JSON.readTree(expected.resolve(file).toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
