package dev.waymark.cli.cluster.tests;

import dev.waymark.trainer.api.TrainerStatus;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;

/** Keeps what a publisher of progress tells: percents, then "complete" or why it failed. */
final class ToldProgress implements Flow.Subscriber<TrainerStatus> {

  static final String COMPLETE = "complete";

  private final List<Object> signals = new CopyOnWriteArrayList<>();

  /** In their order, so far. */
  List<Object> signals() {
    return signals;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(TrainerStatus status) {
    signals.add(status.progressPercentage());
  }

  @Override
  public void onError(Throwable failure) {
    signals.add(failure.getMessage());
  }

  @Override
  public void onComplete() {
    signals.add(COMPLETE);
  }
}
