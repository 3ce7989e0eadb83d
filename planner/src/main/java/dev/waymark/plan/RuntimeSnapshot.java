package dev.waymark.plan;

import dev.waymark.trainer.api.InvalidDocumentsException;
import dev.waymark.trainer.api.RuntimeRef;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerDocuments;
import dev.waymark.trainer.api.TrainerJson;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A runtime as it was when its TrainJob was first planned, kept in a ConfigMap beside it: edits of
 * the runtime never reach a TrainJob that exists. The format is upstream's (KEP-2599), so either
 * controller reads the other's; this one writes its YAML as indented JSON, which both parse faster.
 */
public final class RuntimeSnapshot {

  private static final String KEY = "runtime";

  /** Name of the ConfigMap. */
  public static String name(TrainJob job) {
    return job.name() + "-runtime-snapshot";
  }

  /** The text that a runtime is kept as, the same for all its TrainJobs. */
  public static String text(RuntimeResource runtime) {
    Map<String, Object> fields = new LinkedHashMap<>(TrainerJson.toMap(runtime));
    ObjectMeta withoutManagers =
        new ObjectMetaBuilder(runtime.getMetadata()).withManagedFields(List.of()).build();
    fields.put("metadata", TrainerJson.toMap(withoutManagers));
    return TrainerJson.writeIndented(GoSpelling.of(fields));
  }

  /**
   * The ConfigMap that keeps a runtime for a TrainJob.
   *
   * @param text of the runtime, from {@link #text}
   */
  public static ConfigMap of(TrainJob job, String text) {
    return new ConfigMapBuilder()
        .withMetadata(Renderer.owned(name(job), job).build())
        .addToData(KEY, text)
        .build();
  }

  /**
   * The runtime that a ConfigMap keeps for a TrainJob.
   *
   * @throws InvalidSnapshotException if it isn't this TrainJob's, or keeps something else
   */
  public static RuntimeResource read(TrainJob job, ConfigMap configMap) {
    if (!job.owns(configMap)) {
      throw new InvalidSnapshotException(
          "a snapshot configmap exists but is owned by another object");
    }
    String text = configMap.getData() == null ? null : configMap.getData().get(KEY);
    if (text == null || text.isEmpty()) {
      throw new InvalidSnapshotException("the key " + KEY + " is missing");
    }
    RuntimeResource runtime = parse(configMap, text);
    RuntimeRef ref = job.getSpec().runtimeRef();
    if (!runtime.getKind().equals(ref.effectiveKind())
        || !Objects.equals(runtime.name(), ref.name())) {
      throw new InvalidSnapshotException(
          "it keeps "
              + runtime.title()
              + ", and the TrainJob names "
              + ref.effectiveKind()
              + " "
              + ref.name());
    }
    return runtime;
  }

  private static RuntimeResource parse(ConfigMap configMap, String text) {
    try {
      List<RuntimeResource> runtimes =
          TrainerDocuments.read(configMap.getMetadata().getName(), text).runtimes();
      if (runtimes.size() != 1) {
        throw new InvalidSnapshotException("it keeps " + runtimes.size() + " runtimes");
      }
      return runtimes.get(0);
    } catch (InvalidDocumentsException e) {
      throw new InvalidSnapshotException(e.getMessage());
    }
  }

  private RuntimeSnapshot() {}
}
