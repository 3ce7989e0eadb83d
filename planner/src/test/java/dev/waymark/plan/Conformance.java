package dev.waymark.plan;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waymark.conformance.GoldenCase;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerDocuments;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A golden case as the planner sees it: what goes in, and what upstream's controller made of it.
 */
record Conformance(
    String name,
    TrainerDocuments runtimes,
    List<TrainJob> trainJobs,
    Map<String, Integer> answers,
    Map<String, Map<String, Object>> jobSets) {

  /** The cases whose result is the planner's work alone, with plugins that it has. */
  private static final Pattern PLANNED =
      Pattern.compile(
          "(init|patch|plain|resources|torch)-.*|jvm-agent-sidecars|jvm-single|name-rules"
              + "|runtime-without-template|suspend-create-resume");

  private static final ObjectMapper JSON = new ObjectMapper();

  static List<Conformance> all() {
    return GoldenCase.all().stream()
        .filter(golden -> PLANNED.matcher(golden.name()).matches())
        .map(Conformance::of)
        .toList();
  }

  private static Conformance of(GoldenCase golden) {
    String name = golden.name();
    Map<String, Map<String, Object>> jobSets = new HashMap<>();
    for (Map.Entry<String, JsonNode> object : golden.after(0).path("objects").properties()) {
      if (object.getKey().startsWith("JobSet/")) {
        jobSets.put(object.getKey().substring("JobSet/".length()), planned(object.getValue()));
      }
    }
    return new Conformance(
        name,
        TrainerDocuments.read(name + "/objects.yaml", golden.objects()),
        TrainerDocuments.read(name + "/trainjob.yaml", golden.trainJobs()).trainJobs(),
        golden.trainJobNames().stream()
            .collect(Collectors.toMap(job -> job, golden::answerTo, (a, b) -> a, TreeMap::new)),
        jobSets);
  }

  /** The parts of a JobSet that a plan decides. */
  private static Map<String, Object> planned(JsonNode jobSet) {
    ObjectNode parts = JSON.createObjectNode();
    ObjectNode metadata = parts.putObject("metadata");
    for (String field : List.of("labels", "annotations")) {
      metadata.set(field, jobSet.path("metadata").get(field));
    }
    parts.set("spec", jobSet.get("spec"));
    return JSON.convertValue(parts, new TypeReference<>() {});
  }

  TrainJob trainJob(String name) {
    return trainJobs.stream().filter(job -> job.name().equals(name)).findFirst().orElseThrow();
  }

  RuntimePlan plan(TrainJob job) {
    return Planner.plan(job, RuntimeLookup.find(job, runtimes.runtimes()));
  }
}
