package dev.waymark.controller.status;

import dev.waymark.controller.Component;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.status.StatusService.KnownTrainJobs;
import dev.waymark.status.TokenVerifier;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Whose reports count: knows who issues the cluster's tokens, and the pods that they are bound to.
 * A component of its own, so that the API server is asked for both while the reconcilers' caches
 * are filled.
 */
public final class ReportTokens implements Component {

  private static final int THREADS = 2;

  /**
   * Checks signatures, and waits for the keys that this takes: nothing else that waits may run
   * there, or a slow API server would hold up reports that are good already.
   */
  private final ScheduledExecutorService threads =
      Executors.newScheduledThreadPool(THREADS, StatusService.threads("status-tokens-"));

  private final ApiServerTokens tokens;
  private final JobSetPods pods;
  private final PodBinding verifier;

  /**
   * Knows nothing yet.
   *
   * @param known the TrainJobs, needed once reports come
   * @param podBoundOnly refuses tokens that are not bound to a pod
   */
  public ReportTokens(KubernetesClient client, KnownTrainJobs known, boolean podBoundOnly) {
    ApiServer apiServer = new ApiServer(client);
    tokens = new ApiServerTokens(apiServer, threads);
    pods = new JobSetPods(client, apiServer, threads);
    verifier = new PodBinding(tokens, pods, new OwnJobSets(known, apiServer), podBoundOnly);
  }

  /** Decides about tokens; fails until it is ready. */
  TokenVerifier verifier() {
    return verifier;
  }

  @Override
  public String name() {
    return "report-tokens";
  }

  /** Comes back at once. */
  @Override
  public void start() {
    tokens.discover();
    pods.start();
  }

  @Override
  public Optional<String> notReady() {
    return tokens.problem().or(pods::problem);
  }

  @Override
  public void close() {
    pods.close();
    threads.shutdownNow();
  }
}
