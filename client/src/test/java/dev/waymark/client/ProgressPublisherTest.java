package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ProgressPublisherTest {

  private static final String COMPLETE =
      "conditions: [{type: Complete, status: 'True', reason: r, message: m,"
          + " lastTransitionTime: '2026-11-30T10:00:00Z'}]";

  private final AtomicReference<Training> training = new AtomicReference<>(training("{}"));
  private final Flow.Publisher<TrainerStatus> publisher =
      new ProgressPublisher("demo", () -> new Changes<>(training::get));
  private final Subscriber subscriber = new Subscriber();

  @Test
  void tellsEachStatusOnceAndCompletesWithTheTrainJob() {
    publisher.subscribe(subscriber);
    subscriber.request(Long.MAX_VALUE);
    training.set(training("{trainerStatus: {progressPercentage: 1}}"));
    await().until(() -> subscriber.percents.equals(List.of(1)));
    training.set(training("{trainerStatus: {progressPercentage: 1}, jobsStatus: []}"));
    training.set(training("{trainerStatus: {progressPercentage: 100}, " + COMPLETE + "}"));

    await().until(() -> subscriber.end.get() != null);
    assertThat(subscriber.percents).containsExactly(1, 100);
    assertThat(subscriber.end).hasValue("complete");
    awaitNoThread();
  }

  /**
   * kubeflow/trainer#3737, #2981: a JobSet that is made anew begins again, in the same TrainJob.
   */
  @Test
  void progressMayGoBack() {
    training.set(training("{trainerStatus: {progressPercentage: 80}}"));
    publisher.subscribe(subscriber);
    subscriber.request(Long.MAX_VALUE);
    await().until(() -> subscriber.percents.equals(List.of(80)));
    training.set(training("{trainerStatus: {progressPercentage: 0}}"));

    await().until(() -> subscriber.percents.equals(List.of(80, 0)));
    subscriber.cancel();
  }

  @Test
  void failsWithTheTrainJob() {
    training.set(training("{" + COMPLETE.replace("Complete", "Failed") + "}"));
    publisher.subscribe(subscriber);
    subscriber.request(1);

    await().until(() -> subscriber.end.get() != null);
    assertThat(subscriber.end).hasValue("TrainJob demo has failed: r: m");
  }

  /** Nothing piles up for a slow one: it gets what is the newest when it asks. */
  @Test
  void tellsTheNewestToWhoIsSlow() {
    publisher.subscribe(subscriber);
    subscriber.request(1);
    training.set(training("{trainerStatus: {progressPercentage: 1}}"));
    await().until(() -> subscriber.percents.equals(List.of(1)));
    training.set(training("{trainerStatus: {progressPercentage: 2}}"));
    training.set(training("{trainerStatus: {progressPercentage: 3}}"));
    subscriber.request(1);

    await().until(() -> subscriber.percents.size() == 2);
    assertThat(subscriber.percents).containsExactly(1, 3);
    subscriber.cancel();
  }

  @Test
  void cancelEndsItsThread() {
    publisher.subscribe(subscriber);
    subscriber.request(1);
    subscriber.cancel();

    awaitNoThread();
    assertThat(subscriber.end).hasNullValue();
  }

  @Test
  void refusesToTellLessThanNothing() {
    publisher.subscribe(subscriber);
    subscriber.request(0);

    await().until(() -> subscriber.end.get() != null);
    assertThat(subscriber.end.get()).contains("request(0): at least 1");
    awaitNoThread();
  }

  @Test
  void handsOnWhyItCannotBeRead() {
    Flow.Publisher<TrainerStatus> lost =
        new ProgressPublisher(
            "lost",
            () ->
                new Changes<>(
                    () -> {
                      throw new TrainerException.NotFound("TrainJob lost is not there", null);
                    }));
    lost.subscribe(subscriber);
    subscriber.request(1);

    await().until(() -> subscriber.end.get() != null);
    assertThat(subscriber.end).hasValue("TrainJob lost is not there");
  }

  private static void awaitNoThread() {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(it -> it.getName().equals("waymark-progress-demo")));
  }

  private static Training training(String status) {
    TrainJob job = Samples.job("", status.equals("{}") ? "" : status);
    return new TrainingReader(DeviceMap.standard()).read(job, null, List.of());
  }

  private static final class Subscriber implements Flow.Subscriber<TrainerStatus> {
    private final AtomicReference<Flow.Subscription> subscription = new AtomicReference<>();
    final List<Integer> percents = new CopyOnWriteArrayList<>();
    final AtomicReference<String> end = new AtomicReference<>();

    void request(long n) {
      await().until(() -> subscription.get() != null);
      subscription.get().request(n);
    }

    void cancel() {
      subscription.get().cancel();
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      this.subscription.set(subscription);
    }

    @Override
    public void onNext(TrainerStatus status) {
      percents.add(status.progressPercentage());
    }

    @Override
    public void onError(Throwable throwable) {
      end.set(throwable.getMessage());
    }

    @Override
    public void onComplete() {
      end.set("complete");
    }
  }
}
