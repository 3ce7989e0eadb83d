package dev.waymark.cli.cluster;

import dev.waymark.client.ClusterAccess;
import dev.waymark.client.TrainerClient;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Which cluster, named as kubectl does. */
final class ClusterOptions {

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Of the TrainJobs; that of the context by default.")
  private String namespace;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Says where the cluster is; KUBECONFIG or ~/.kube/config by default.")
  private Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Of the kubeconfig; its current one by default.")
  private String context;

  /**
   * Nothing is asked yet.
   *
   * @param callTimeout for each call of the API server
   */
  TrainerClient connect(Duration callTimeout) {
    return TrainerClient.connect(
        ClusterAccess.standard()
            .withCallTimeout(callTimeout)
            .withNamespace(namespace)
            .withKubeconfig(kubeconfig)
            .withContext(context));
  }
}
