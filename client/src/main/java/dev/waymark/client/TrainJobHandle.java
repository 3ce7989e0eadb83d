package dev.waymark.client;

import dev.waymark.trainer.api.TrainerStatus;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.function.Consumer;

/** A TrainJob that was submitted. Safe for every thread, as long as its client is open. */
public final class TrainJobHandle {

  private final TrainerClient client;
  private final Submission submission;

  TrainJobHandle(TrainerClient client, Submission submission) {
    this.client = client;
    this.submission = submission;
  }

  public String name() {
    return submission.job().name();
  }

  /** Where it is, which need not be the namespace of the client that has submitted it. */
  public String namespace() {
    return client.namespace();
  }

  /** What its writer may not expect, for people; may be empty. */
  public List<String> warnings() {
    return submission.warnings();
  }

  /** As {@link TrainerClient#get}. */
  public Training get() {
    return client.get(name());
  }

  /** As {@link TrainerClient#await}. */
  public Training await(WaitOptions options) throws InterruptedException {
    return client.await(name(), options);
  }

  /** As {@link TrainerClient#logs}. */
  public void logs(LogOptions options, Consumer<LogLine> lines) throws InterruptedException {
    client.logs(name(), options, lines);
  }

  /** As {@link TrainerClient#events}. */
  public List<TrainingEvent> events() {
    return client.events(name());
  }

  /** As {@link TrainerClient#progress}. */
  public Optional<TrainerStatus> progress() {
    return client.progress(name());
  }

  /** As {@link TrainerClient#watchProgress}. */
  public Flow.Publisher<TrainerStatus> watchProgress() {
    return client.watchProgress(name());
  }

  /** As {@link TrainerClient#suspend}. */
  public Training suspend() {
    return client.suspend(name());
  }

  /** As {@link TrainerClient#resume}. */
  public Training resume() {
    return client.resume(name());
  }

  /** As {@link TrainerClient#delete}. */
  public void delete(DeleteOptions options) throws InterruptedException {
    client.delete(name(), options);
  }
}
