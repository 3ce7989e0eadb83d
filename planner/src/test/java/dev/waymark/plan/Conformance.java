package dev.waymark.plan;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerDocuments;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One folder of the golden data: what goes in, and what upstream's controller made of it. */
record Conformance(
    String name,
    TrainerDocuments runtimes,
    List<TrainJob> trainJobs,
    Map<String, Integer> answers,
    Map<String, Map<String, Object>> jobSets) {

  /** {@code expected.json}. */
  private record Expected(Map<String, Integer> answers, Map<String, Map<String, Object>> jobSets) {}

  private static final ObjectMapper JSON = new ObjectMapper();

  static List<String> names() {
    try (Stream<Path> folders =
        Files.list(Path.of(Conformance.class.getResource("/conformance").toURI()))) {
      return folders
          .filter(Files::isDirectory)
          .map(folder -> folder.getFileName().toString())
          .sorted()
          .toList();
    } catch (IOException | URISyntaxException e) {
      throw new IllegalStateException("no golden data on the class path", e);
    }
  }

  static Conformance load(String name) {
    try (InputStream expected = resource(name, "expected.json")) {
      Expected golden = JSON.readValue(expected, new TypeReference<>() {});
      return new Conformance(
          name,
          TrainerDocuments.read(name + "/objects.yaml", text(name, "objects.yaml")),
          TrainerDocuments.read(name + "/trainjob.yaml", text(name, "trainjob.yaml")).trainJobs(),
          golden.answers(),
          golden.jobSets());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  TrainJob trainJob(String name) {
    return trainJobs.stream().filter(job -> job.name().equals(name)).findFirst().orElseThrow();
  }

  RuntimePlan plan(TrainJob job) {
    return Planner.plan(job, RuntimeLookup.find(job, runtimes.runtimes()));
  }

  private static String text(String name, String file) throws IOException {
    try (InputStream in = resource(name, file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static InputStream resource(String name, String file) {
    return Conformance.class.getResourceAsStream("/conformance/" + name + "/" + file);
  }
}
