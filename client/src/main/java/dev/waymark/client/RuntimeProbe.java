package dev.waymark.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Looks into a runtime by a TrainJob of one node, which is deleted whatever comes of it: that of
 * the Kubeflow SDK was left behind once it failed (kubeflow/sdk#580).
 */
final class RuntimeProbe implements AutoCloseable {

  /** Says what is there, and nothing of what isn't. */
  private static final String PROGRAM =
      """
      look() {
        if command -v "$1" >/dev/null 2>&1; then
          echo "> $*"
          "$@" 2>&1 || true
        fi
      }
      look java -version
      look python --version
      look python -m pip list --format=freeze
      look nvidia-smi -L
      look npu-smi info -l
      """;

  /** What it runs, in place of the runtime's program. */
  static final CustomTrainer TRAINER =
      CustomTrainer.builder().command("sh", "-c", PROGRAM).numNodes(1).build();

  private final TrainJobHandle job;

  /** With a TrainJob that runs {@link #TRAINER}, which it deletes in the end. */
  RuntimeProbe(TrainJobHandle job) {
    this.job = job;
  }

  /**
   * What it has printed.
   *
   * @throws TrainerException.TimedOut if it has not run within the limit
   * @throws TrainerException.Failed if it has failed
   */
  List<String> lines(Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    List<String> lines = new CopyOnWriteArrayList<>();
    job.logs(LogOptions.standard().following().withPatience(limit), line -> lines.add(line.text()));
    Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    job.await(WaitOptions.untilComplete().atMost(left));
    return new ArrayList<>(lines);
  }

  @Override
  public void close() {
    boolean wasInterrupted = Thread.interrupted(); // which would end the deletion, too
    try {
      job.delete(DeleteOptions.standard());
    } catch (InterruptedException e) {
      wasInterrupted = true;
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
