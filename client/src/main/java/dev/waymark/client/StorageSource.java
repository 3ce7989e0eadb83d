package dev.waymark.client;

import dev.waymark.trainer.api.FieldProblem;
import dev.waymark.trainer.api.StorageInitializer;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.LocalObjectReferenceBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A place from which a data set or a model is fetched before the training starts. What is null or
 * empty isn't said. A {@code secret} is one of the TrainJob's namespace whose keys become the
 * variables of the program that fetches ({@code ACCESS_TOKEN}; {@code ACCESS_KEY_ID}, {@code
 * SECRET_ACCESS_KEY}): credentials in the TrainJob itself could be read by everybody who may read
 * TrainJobs, so there is no other way to give them.
 *
 * <p>Variables and rules: Kubeflow SDK 0.5.0.
 */
public sealed interface StorageSource {

  /** What Hugging Face's models come in beside safetensors; not worth fetching twice. */
  List<String> OTHER_MODEL_FORMATS = List.of("*.msgpack", "*.h5", "*.bin", "*.pt", "*.pth");

  /** As the TrainJob says it. */
  StorageInitializer toInitializer();

  /** What is wrong with it; empty if nothing is. */
  Optional<FieldProblem> problem(String field);

  /**
   * A repository of Hugging Face's.
   *
   * @param uri {@code hf://org/name}
   * @param ignorePatterns files to leave out
   * @param secret or null
   */
  record HuggingFace(String uri, List<String> ignorePatterns, String secret)
      implements StorageSource {

    public HuggingFace {
      ignorePatterns = List.copyOf(ignorePatterns);
    }

    /** A data set that everybody may read, all files of it. */
    public static HuggingFace dataset(String uri) {
      return new HuggingFace(uri, List.of(), null);
    }

    /** A model that everybody may read, its safetensors only. */
    public static HuggingFace model(String uri) {
      return new HuggingFace(uri, OTHER_MODEL_FORMATS, null);
    }

    @Override
    public StorageInitializer toInitializer() {
      return initializer(uri, Map.of("IGNORE_PATTERNS", listed(ignorePatterns)), secret);
    }

    @Override
    public Optional<FieldProblem> problem(String field) {
      return scheme(uri, "hf://org/name", field);
    }
  }

  /**
   * A bucket that is read by S3's protocol.
   *
   * @param uri {@code s3://bucket/path}
   * @param ignorePatterns files to leave out
   * @param endpoint of a server that isn't Amazon's, or null
   * @param region or null
   * @param roleArn role to assume, or null
   * @param secret or null
   */
  record S3(
      String uri,
      List<String> ignorePatterns,
      String endpoint,
      String region,
      String roleArn,
      String secret)
      implements StorageSource {

    public S3 {
      ignorePatterns = List.copyOf(ignorePatterns);
    }

    @Override
    public StorageInitializer toInitializer() {
      Map<String, String> env = new LinkedHashMap<>();
      env.put("IGNORE_PATTERNS", listed(ignorePatterns));
      env.put("ENDPOINT", endpoint);
      env.put("REGION", region);
      env.put("ROLE_ARN", roleArn);
      return initializer(uri, env, secret);
    }

    @Override
    public Optional<FieldProblem> problem(String field) {
      return scheme(uri, "s3://bucket/path", field);
    }
  }

  /**
   * A table that a cluster of its own keeps in memory for the nodes.
   *
   * @param uri {@code cache://schema/table}
   * @param metadataLocation of the table
   * @param numDataNodes nodes that keep it, at least 2
   * @param headCpu quantity, or null
   * @param headMemory quantity, or null
   * @param workerCpu quantity, or null
   * @param workerMemory quantity, or null
   * @param iamRole or null
   */
  record DataCache(
      String uri,
      String metadataLocation,
      int numDataNodes,
      String headCpu,
      String headMemory,
      String workerCpu,
      String workerMemory,
      String iamRole)
      implements StorageSource {

    @Override
    public StorageInitializer toInitializer() {
      Map<String, String> env = new LinkedHashMap<>();
      // The head is a node of that cluster too.
      env.put("CLUSTER_SIZE", Integer.toString(numDataNodes + 1));
      env.put("METADATA_LOC", metadataLocation);
      env.put("HEAD_CPU", headCpu);
      env.put("HEAD_MEM", headMemory);
      env.put("WORKER_CPU", workerCpu);
      env.put("WORKER_MEM", workerMemory);
      env.put("IAM_ROLE", iamRole);
      return initializer(uri, env, null);
    }

    @Override
    public Optional<FieldProblem> problem(String field) {
      if (numDataNodes < 2) {
        return Optional.of(
            new FieldProblem(field + ".env", numDataNodes + " data nodes: at least 2"));
      }
      return uri != null && uri.matches("cache://[^/]+/[^/]+")
          ? Optional.empty()
          : Optional.of(
              new FieldProblem(
                  field + ".storageUri", quoted(uri) + ": write cache://schema/table"));
    }
  }

  private static StorageInitializer initializer(
      String uri, Map<String, String> variables, String secret) {
    List<EnvVar> env = new ArrayList<>();
    variables.forEach(
        (name, value) -> {
          if (value != null && !value.isEmpty()) {
            env.add(new EnvVarBuilder().withName(name).withValue(value).build());
          }
        });
    return new StorageInitializer(
        uri,
        env.isEmpty() ? null : env,
        secret == null ? null : new LocalObjectReferenceBuilder().withName(secret).build(),
        null);
  }

  private static Optional<FieldProblem> scheme(String uri, String example, String field) {
    String scheme = example.substring(0, example.indexOf("://") + 3);
    return uri != null && uri.startsWith(scheme) && uri.length() > scheme.length()
        ? Optional.empty()
        : Optional.of(new FieldProblem(field + ".storageUri", quoted(uri) + ": write " + example));
  }

  private static String quoted(String uri) {
    return "\"" + uri + "\"";
  }

  private static String listed(List<String> items) {
    return String.join(",", items);
  }
}
