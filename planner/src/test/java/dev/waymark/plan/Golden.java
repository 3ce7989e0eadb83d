package dev.waymark.plan;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.conformance.ConformanceFolder;
import dev.waymark.conformance.GoldenCase;
import dev.waymark.trainer.api.ClusterTrainingRuntime;
import dev.waymark.trainer.api.InvalidDocumentsException;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.RuntimeRef;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerApi;
import dev.waymark.trainer.api.TrainerDocuments;
import dev.waymark.trainer.api.TrainerJson;
import dev.waymark.trainer.api.TrainingRuntime;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The golden cases as the planner sees them: objects in, objects out. */
final class Golden {

  /** The cluster that the golden cases ran in. */
  static final ClusterSettings CLUSTER =
      new ClusterSettings(
          new ClusterSettings.Progress(
              "https://kubeflow-trainer-controller-manager.kubeflow-system.svc:10443",
              "<ca.crt of the webhook secret>"),
          null);

  /** Policies that this version does not run. */
  private static final Pattern NOT_RUN =
      Pattern.compile("(flux|coscheduling|volcano|torchtune)-.*|gang-both");

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String UID = "<uid>";

  static List<GoldenCase> cases() {
    return GoldenCase.all().stream()
        .filter(golden -> !NOT_RUN.matcher(golden.name()).matches())
        .toList();
  }

  /** A TrainJob as it was stored after a step. */
  static TrainJob storedTrainJob(GoldenCase golden, int step, String name) {
    return trainJob(golden, object(golden, step, "TrainJob/" + name).orElseThrow());
  }

  static TrainJob trainJob(GoldenCase golden, Map<String, Object> fields) {
    TrainJob job = TrainerJson.fromMap(fields, TrainJob.class);
    job.getMetadata().setNamespace(golden.name());
    job.getMetadata().setUid(UID);
    return job;
  }

  /** The runtime that a TrainJob names as it was stored after a step, or as it was created. */
  static Optional<RuntimeResource> runtime(GoldenCase golden, int step, TrainJob job) {
    RuntimeRef ref = job.getSpec().runtimeRef();
    if (ref == null || !RuntimeLookup.isSupported(ref)) {
      return Optional.empty();
    }
    return object(golden, step, ref.effectiveKind() + "/" + ref.name())
        .map(fields -> runtime(golden, ref.effectiveKind(), fields))
        .or(
            () ->
                documents(golden.objects())
                    .filter(document -> document.contains("kind: " + ref.effectiveKind()))
                    .flatMap(
                        document -> TrainerDocuments.read("objects", document).runtimes().stream())
                    .filter(runtime -> ref.name().equals(runtime.name()))
                    .filter(
                        runtime ->
                            golden
                                    .created()
                                    .path("objects")
                                    .path(runtime.getKind() + "/" + runtime.name())
                                    .path("code")
                                    .asInt()
                                == 201)
                    .findFirst());
  }

  /** The runtime that a TrainJob's snapshot keeps, as upstream wrote it. */
  static Optional<RuntimeResource> snapshot(GoldenCase golden, int step, TrainJob job) {
    JsonNode kept =
        golden
            .after(step)
            .path("objects")
            .path("ConfigMap/" + RuntimeSnapshot.name(job))
            .path("data")
            .path("runtime")
            .path("<yaml>");
    return kept.isMissingNode()
        ? Optional.empty()
        : Optional.of(runtime(golden, kept.path("kind").asText(), map(kept)));
  }

  static RuntimeResource runtime(GoldenCase golden, String kind, Map<String, Object> fields) {
    RuntimeResource runtime =
        kind.equals("TrainingRuntime")
            ? TrainerJson.fromMap(fields, TrainingRuntime.class)
            : TrainerJson.fromMap(fields, ClusterTrainingRuntime.class);
    runtime.getMetadata().setNamespace(kind.equals("TrainingRuntime") ? golden.name() : null);
    return runtime;
  }

  static Optional<JobSet> jobSet(GoldenCase golden, int step, String name) {
    return object(golden, step, "JobSet/" + name)
        .map(fields -> TrainerJson.fromMap(fields, JobSet.class));
  }

  /** What upstream made of a TrainJob: the objects that it owns, without their state. */
  static Map<String, Object> made(GoldenCase golden, int step, TrainJob job) {
    return made(golden.after(step), job);
  }

  /** The same out of another state, such as that of a variant. */
  static Map<String, Object> made(JsonNode state, TrainJob job) {
    Map<String, Object> made = new TreeMap<>();
    for (Map.Entry<String, JsonNode> object : state.path("objects").properties()) {
      String kind = object.getKey().substring(0, object.getKey().indexOf('/'));
      if (List.of("JobSet", "ConfigMap", "Secret").contains(kind) && owns(job, object.getValue())) {
        Map<String, Object> fields = map(object.getValue());
        fields.remove("status");
        made.put(object.getKey(), fields);
      }
    }
    return made;
  }

  /** The state in which upstream, run under other settings, left a case. */
  static JsonNode variant(String variant, GoldenCase golden) {
    try {
      return JSON.readTree(folder(variant, golden).resolve("after-0.json").toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same, of a case that may not have been run under those settings. */
  static Optional<JsonNode> findVariant(String variant, GoldenCase golden) {
    return Files.exists(folder(variant, golden))
        ? Optional.of(variant(variant, golden))
        : Optional.empty();
  }

  private static Path folder(String variant, GoldenCase golden) {
    return ConformanceFolder.PATH
        .resolve("expected-variants")
        .resolve(variant)
        .resolve(golden.name());
  }

  /** What the planner makes of a TrainJob, in the form of {@link #made}. */
  static Map<String, Object> rendered(TrainJob job, RuntimeResource runtime) {
    return rendered(job, runtime, CLUSTER);
  }

  static Map<String, Object> rendered(
      TrainJob job, RuntimeResource runtime, ClusterSettings cluster) {
    Map<String, Object> made = new TreeMap<>();
    RenderedObjects objects = Renderer.render(Planner.planAdmitted(job, runtime, cluster), job);
    made.put("JobSet/" + job.name(), JobSetTree.of(objects.jobSet()).root());
    objects
        .configMaps()
        .forEach(it -> made.put("ConfigMap/" + it.getMetadata().getName(), configMap(it)));
    ConfigMap snapshot = RuntimeSnapshot.of(job, RuntimeSnapshot.text(runtime));
    made.put("ConfigMap/" + RuntimeSnapshot.name(job), snapshot(snapshot));
    for (SshSecret secret : objects.sshSecrets()) {
      made.put("Secret/" + secret.name(), secret(secret));
    }
    return made;
  }

  static Optional<Map<String, Object>> object(GoldenCase golden, int step, String key) {
    JsonNode object = golden.after(step).path("objects").get(key);
    return Optional.ofNullable(object).map(Golden::map);
  }

  /** The documents of a YAML text, each of them as text. */
  static Stream<String> documents(String yaml) {
    return Arrays.stream(yaml.split("(?m)^---\\s*$")).filter(document -> !document.isBlank());
  }

  /** A document as its reader sees it, or the status with which an API server refuses it. */
  static Optional<TrainerDocuments> read(String document) {
    try {
      TrainerDocuments read = TrainerDocuments.read("golden", document);
      return read.warnings().isEmpty() ? Optional.of(read) : Optional.empty();
    } catch (InvalidDocumentsException e) {
      return Optional.empty();
    }
  }

  /** A value as the plain JSON that an API server would see. */
  static Map<String, Object> plain(Object value) {
    return parse(TrainerJson.write(value));
  }

  private static Map<String, Object> parse(String json) {
    try {
      return JSON.readValue(json, new TypeReference<>() {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Map<String, Object> map(JsonNode object) {
    return JSON.convertValue(object, new TypeReference<>() {});
  }

  private static boolean owns(TrainJob job, JsonNode object) {
    JsonNode owners = object.path("metadata").path("ownerReferences");
    return owners.size() == 1
        && owners.get(0).path("name").asText().equals(job.name())
        && owners.get(0).path("apiVersion").asText().equals(TrainerApi.API_VERSION);
  }

  private static Map<String, Object> configMap(ConfigMap configMap) {
    Map<String, Object> fields = plain(configMap);
    fields.remove("apiVersion");
    return fields;
  }

  private static Map<String, Object> snapshot(ConfigMap configMap) {
    Map<String, Object> fields = configMap(configMap);
    fields.put(
        "data", Map.of("runtime", Map.of("<yaml>", parse(configMap.getData().get("runtime")))));
    return fields;
  }

  private static Map<String, Object> secret(SshSecret secret) {
    Map<String, Object> fields = plain(secret.with(SshKeyPair.generate(new SecureRandom())));
    fields.remove("data");
    fields.put(
        "shape",
        Map.of(
            "ssh-privatekey",
            "-----BEGIN EC PRIVATE KEY-----",
            "ssh-publickey",
            "ecdsa-sha2-nistp521, 2 fields, 1 newline"));
    return fields;
  }

  private Golden() {}
}
