package dev.waymark.cli.cluster;

import dev.waymark.client.JobInitializer;
import dev.waymark.client.RuntimePatchBuilder;
import dev.waymark.client.StorageSource;
import dev.waymark.client.TrainOptions;
import dev.waymark.client.TrainerRuntime;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What else a TrainJob says, as flags say it. */
final class JobFlags {

  /** On a TrainJob that a queue of Kueue's lets in. */
  private static final String QUEUE = "kueue.x-k8s.io/queue-name";

  @Option(
      names = "--name",
      paramLabel = "N",
      description = "Of the TrainJob; a random one if nothing is said.")
  private String name;

  @Option(names = "--label", paramLabel = "K=V", description = "Of the TrainJob.")
  private Map<String, String> labels = new LinkedHashMap<>();

  @Option(names = "--annotation", paramLabel = "K=V", description = "Of the TrainJob.")
  private Map<String, String> annotations = new LinkedHashMap<>();

  @Option(
      names = "--deadline",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "After which it fails: 90s, 10m, 8h.")
  private Duration deadline;

  @Option(names = "--suspend", description = "Make no pods before it is resumed.")
  private boolean suspend;

  @Option(
      names = "--queue",
      paramLabel = "QUEUE",
      description = "Kueue's queue, which makes its pods when there is room.")
  private String queue;

  @Option(
      names = "--pull-secret",
      paramLabel = "SECRET",
      description = "With which the nodes fetch private images.")
  private List<String> pullSecrets = List.of();

  @Option(names = "--service-account", paramLabel = "ACCOUNT", description = "Of the nodes' pods.")
  private String serviceAccount;

  @Option(names = "--node-selector", paramLabel = "K=V", description = "Of the nodes' pods.")
  private Map<String, String> nodeSelector = new LinkedHashMap<>();

  @Option(
      names = "--dataset",
      paramLabel = "URI",
      description = "To fetch first: hf://org/name or s3://bucket/path.")
  private String dataset;

  @Option(
      names = "--model",
      paramLabel = "URI",
      description = "To fetch first: hf://org/name or s3://bucket/path.")
  private String model;

  @Option(
      names = "--fetch-secret",
      paramLabel = "SECRET",
      description = "With the credentials for --dataset and --model.")
  private String fetchSecret;

  /**
   * What the flags say.
   *
   * @param runtime whose nodes' pods are meant
   */
  TrainOptions options(TrainerRuntime runtime) {
    TrainOptions.Builder options = TrainOptions.builder().name(name).suspend(suspend);
    labels.forEach(options::label);
    annotations.forEach(options::annotation);
    if (deadline != null) {
      options.activeDeadlineSeconds(deadline.toSeconds());
    }
    if (queue != null) {
      options.label(QUEUE, queue);
    }
    PodSpecBuilder pods = new PodSpecBuilder();
    pullSecrets.forEach(secret -> pods.addNewImagePullSecret(secret));
    pods.withServiceAccountName(serviceAccount);
    pods.addToNodeSelector(nodeSelector);
    if (!pullSecrets.isEmpty() || serviceAccount != null || !nodeSelector.isEmpty()) {
      RuntimePatchBuilder patch = new RuntimePatchBuilder();
      runtime.nodeJobs().forEach(job -> patch.pods(job, pods.build()));
      options.runtimePatch(patch.build());
    }
    return options.build();
  }

  /** Null if nothing is to be fetched. */
  JobInitializer initializer(CommandSpec spec) {
    return dataset == null && model == null
        ? null
        : new JobInitializer(
            source(dataset, List.of(), "--dataset", spec),
            source(model, StorageSource.OTHER_MODEL_FORMATS, "--model", spec));
  }

  private StorageSource source(String uri, List<String> ignored, String flag, CommandSpec spec) {
    if (uri == null) {
      return null;
    } else if (uri.startsWith("hf://")) {
      return new StorageSource.HuggingFace(uri, ignored, fetchSecret);
    } else if (uri.startsWith("s3://")) {
      return new StorageSource.S3(uri, ignored, null, null, null, fetchSecret);
    }
    throw new ParameterException(
        spec.commandLine(), flag + " " + uri + ": write hf://org/name or s3://bucket/path");
  }
}
