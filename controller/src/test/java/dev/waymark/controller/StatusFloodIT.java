package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.controller.RunningController.Operator;
import dev.waymark.status.TrainJobKey;
import dev.waymark.testbed.OnCluster;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Trainings that report as fast as they can, over 64 connections. A flood ends only when the others
 * have got through several times, so however slow the machine is, whoever starves them fails. How
 * long it lasts at least, and what the others may wait, is told by the profile {@code thorough}: in
 * a busy build both are loose.
 */
@OnCluster
class StatusFloodIT {

  private static final int CONNECTIONS = 64;
  private static final Duration FLOOD =
      Duration.ofSeconds(Integer.getInteger("waymark.test.flood.seconds", 2));

  /** How often each of the others must get a new report through while a flood goes on. */
  private static final int ROUNDS = 2;

  /** The default time between two writes of one TrainJob's reports. */
  private static final Duration SPACING = Duration.ofSeconds(1);

  private static final Duration CONNECT_LIMIT = Duration.ofMinutes(1);

  private static final Duration PATIENCE =
      Duration.ofMillis(Integer.getInteger("waymark.test.flood.patience.millis", 30_000));

  private static final List<Kind> KINDS =
      List.of(
          new Kind("goes-on", number -> number % 100, 1),
          new Kind("ended", number -> 100, 1),
          new Kind("ends-again", number -> number % 2 == 0 ? 100 : 50, 10));

  @TempDir Path folder;

  private KubernetesClient client;
  private final Map<TrainJobKey, String> tokens = new HashMap<>();

  @BeforeEach
  void useClient(KubernetesClient own) {
    client = own;
  }

  /** Of progress, and of last words, which go before all progress and wait to be written. */
  @Test
  void aFloodForOneTrainJobHoldsUpNoOthers() throws Exception {
    try (Operator operator = new Operator(client, folder);
        RunningController controller = new RunningController(operator, "");
        StatusWritesSeen seen = new StatusWritesSeen(client)) {
      List<TrainJobKey> others =
          IntStream.range(0, 8).mapToObj(i -> createTrainJob("other-" + i)).toList();
      int progress = 1;
      for (Kind kind : KINDS) {
        TrainJobKey flooded = createTrainJob(kind.trainJob());
        Flood flood = new Flood(controller, i -> flooded, kind.progress());
        try {
          for (int round = 0; round < ROUNDS || flood.isYoung(); round++) {
            getThrough(controller, others, progress);
            // Another one each time, and never a last word.
            progress = progress % 99 + 1;
          }
        } finally {
          flood.end();
        }

        assertThat(flood.answers()).hasSizeGreaterThan(0).containsOnlyKeys(200);
        // And those that were on their way at either end.
        int seconds = (int) flood.length().toSeconds() + 2;
        assertThat(seen.of(flooded.name())).isBetween(1, kind.writesPerSecond() * seconds);
      }
      assertThat(stored(new TrainJobKey(client.getNamespace(), "goes-on"))).isLessThan(100);
      assertThat(stored(new TrainJobKey(client.getNamespace(), "ended"))).isEqualTo(100);
    }
  }

  /** Reports for each, and waits until the API server has it. */
  private void getThrough(RunningController controller, List<TrainJobKey> trainJobs, int progress)
      throws Exception {
    Duration longest = Duration.ZERO;
    for (TrainJobKey trainJob : trainJobs) {
      Instant asked = Instant.now();
      assertThat(post(controller, trainJob, progress)).isEqualTo(200);
      Duration took = Duration.between(asked, Instant.now());
      longest = took.compareTo(longest) > 0 ? took : longest;
    }
    assertThat(longest).isLessThan(PATIENCE);
    await()
        .atMost(SPACING.plus(PATIENCE))
        .until(() -> trainJobs.stream().allMatch(it -> progress == stored(it)));
  }

  @Test
  void theApiServerSeesNoMoreWritesThanAreConfigured() throws Exception {
    int rate = 5;
    try (Operator operator = new Operator(client, folder);
        RunningController controller =
            new RunningController(operator, "  qps: %d\n  burst: %d\n".formatted(rate, rate));
        StatusWritesSeen seen = new StatusWritesSeen(client)) {
      List<TrainJobKey> all =
          IntStream.range(0, 16).mapToObj(i -> createTrainJob("crowd-" + i)).toList();

      Instant begin = Instant.now();
      Flood flood = new Flood(controller, i -> all.get(i % all.size()), number -> number % 100);
      await().atMost(CONNECT_LIMIT).until(() -> !flood.isYoung());
      flood.end();
      int writes = seen.all();
      Duration length = Duration.between(begin, Instant.now());

      assertThat(flood.answers()).containsOnlyKeys(200);
      assertThat(writes).isBetween(1, rate + (int) (rate * (length.toMillis() / 1000.0)));
    }
  }

  /** One of which another controller makes something, with a token of the account. */
  private TrainJobKey createTrainJob(String name) {
    ClusterObjects.create(
        client,
        TrainJob.class,
        """
        apiVersion: trainer.kubeflow.org/v1alpha1
        kind: TrainJob
        metadata: {name: %s}
        spec: {managedBy: kueue.x-k8s.io/multikueue, runtimeRef: {name: none}}
        """
            .formatted(name));
    TrainJobKey key = new TrainJobKey(client.getNamespace(), name);
    tokens.put(key, ClusterObjects.accountToken(client, key.audience()));
    return key;
  }

  private int post(RunningController controller, TrainJobKey trainJob, int progress)
      throws Exception {
    return controller
        .post(
            trainJob,
            tokens.get(trainJob),
            """
            {"trainerStatus": {"progressPercentage": %d, "lastUpdatedTime": "%s"}}
            """
                .formatted(progress, Instant.now()))
        .statusCode();
  }

  /** The progress that the API server has; -1: none. */
  private int stored(TrainJobKey trainJob) {
    TrainJobStatus status =
        client.resources(TrainJob.class).withName(trainJob.name()).get().getStatus();
    return status == null || status.trainerStatus() == null
        ? -1
        : status.trainerStatus().progressPercentage();
  }

  /**
   * What floods.
   *
   * @param trainJob name of the TrainJob
   * @param progress of each report, by its number
   * @param writesPerSecond most that the API server may see
   */
  private record Kind(String trainJob, IntUnaryOperator progress, int writesPerSecond) {}

  /** As many threads as connections, each of which posts again as soon as it is answered. */
  private final class Flood {
    private final Instant begin = Instant.now();
    private final Map<Integer, AtomicInteger> answers = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
    private final List<Future<?>> posts = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();
    private final Instant full;
    private volatile boolean ended;
    private Duration length = FLOOD;

    Flood(
        RunningController controller,
        IntFunction<TrainJobKey> trainJobs,
        IntUnaryOperator progress) {
      for (int i = 0; i < CONNECTIONS; i++) {
        posts.add(
            threads.submit(
                () -> {
                  while (!ended) {
                    int number = next.getAndIncrement();
                    int answer =
                        post(controller, trainJobs.apply(number), progress.applyAsInt(number));
                    answers.computeIfAbsent(answer, any -> new AtomicInteger()).incrementAndGet();
                  }
                  return null;
                }));
      }
      threads.shutdown();
      // All have connected, and the code is warm.
      await().atMost(CONNECT_LIMIT).until(() -> next.get() >= 2 * CONNECTIONS);
      full = Instant.now();
    }

    /** Whether it has to last longer. */
    boolean isYoung() {
      return Instant.now().isBefore(full.plus(FLOOD));
    }

    /** Ends it, and waits until all is answered. */
    void end() throws Exception {
      ended = true;
      for (Future<?> post : posts) {
        post.get(1, TimeUnit.MINUTES);
      }
      length = Duration.between(begin, Instant.now());
    }

    /** How often each status was answered. */
    Map<Integer, AtomicInteger> answers() {
      return answers;
    }

    Duration length() {
      return length;
    }
  }

  /** Counts the writes of reports that a watch shows, by TrainJob. */
  private static final class StatusWritesSeen implements Watcher<TrainJob>, AutoCloseable {
    private final Map<String, AtomicInteger> writes = new ConcurrentHashMap<>();
    private final Map<String, TrainJobStatus> last = new ConcurrentHashMap<>();
    private final Watch watch;
    private volatile WatcherException ended;

    StatusWritesSeen(KubernetesClient client) {
      watch = client.resources(TrainJob.class).watch(this);
    }

    @Override
    public void eventReceived(Action action, TrainJob trainJob) {
      TrainJobStatus status = trainJob.getStatus();
      if (status == null || status.trainerStatus() == null) {
        return;
      }
      TrainJobStatus before = last.put(trainJob.name(), status);
      if (before == null || !status.trainerStatus().equals(before.trainerStatus())) {
        writes.computeIfAbsent(trainJob.name(), any -> new AtomicInteger()).incrementAndGet();
      }
    }

    @Override
    public void onClose(WatcherException cause) {
      ended = cause;
    }

    int of(String trainJob) {
      assertThat(ended).isNull();
      return writes.getOrDefault(trainJob, new AtomicInteger()).get();
    }

    int all() {
      assertThat(ended).isNull();
      return writes.values().stream().mapToInt(AtomicInteger::get).sum();
    }

    @Override
    public void close() {
      watch.close();
    }
  }
}
