package dev.waymark.cli.cluster.tests;

import static dev.waymark.cli.cluster.tests.ManyTrainJobs.COUNT;
import static dev.waymark.cli.cluster.tests.TrainJobsOnFakeApiServer.PODS;
import static dev.waymark.cli.cluster.tests.TrainJobsOnFakeApiServer.TRAIN_JOBS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** 5,000 TrainJobs with a pod each, in a JVM that can't hold them all. */
class ManyTrainJobsTest {

  private static final int PAGE = 500;
  private static final String HEAP = "-Xmx64m";
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir Path folder;

  private ManyTrainJobs many;

  @BeforeEach
  void fill() throws IOException {
    many = new ManyTrainJobs(folder);
  }

  @AfterEach
  void stop() {
    many.close();
  }

  @Test
  void areListedPageByPage() throws Exception {
    Process list = many.waymark(HEAP, "list");

    assertThat(list.waitFor()).as(many.err()).isZero();
    List<String> lines = many.out();
    assertThat(lines).hasSize(COUNT + 1);
    assertThat(lines.get(COUNT)).matches("job-4999 +Running +42% .*");
    assertThat(many.cluster().api().reads(TRAIN_JOBS)).isEqualTo(COUNT / PAGE);
    assertThat(many.cluster().api().reads(PODS)).isEqualTo(COUNT / PAGE);
  }

  /** The list is read again for each change: what it holds must not grow with them. */
  @Test
  void areWatchedAndNothingOfThemIsKeptButWhatIsShown() throws Exception {
    Process watch = many.waymark(HEAP, "watch");
    try {
      await().atMost(LIMIT).until(() -> many.out().size() == COUNT || !watch.isAlive());
      for (int percent = 43; percent <= 44; percent++) {
        String changed = "job-4242: Running, " + percent + "%";
        many.report("job-4242", percent);
        await().atMost(LIMIT).until(() -> last().startsWith(changed) || !watch.isAlive());
        assertThat(watch.isAlive()).as(many.err()).isTrue();
      }
      assertThat(many.out()).as("one line a change").hasSize(COUNT + 2);
    } finally {
      watch.destroy();
      assertThat(watch.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  private String last() throws IOException {
    List<String> lines = many.out();
    return lines.get(lines.size() - 1);
  }
}
