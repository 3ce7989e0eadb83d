package dev.waymark.controller.reconcile;

import dev.waymark.trainer.api.RuntimeRef;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobStatus;
import java.util.Optional;
import java.util.stream.Stream;

/** Told by the leader what becomes of TrainJobs, on the threads that reconcile. */
public interface TrainJobObserver {

  /** The runtimes that the caches have. */
  interface KnownRuntimes {

    /** Those of both kinds. */
    Stream<RuntimeResource> all();

    /** The one that a reference names in a namespace. */
    Optional<? extends RuntimeResource> find(RuntimeRef ref, String namespace);
  }

  /**
   * This replica leads from now on.
   *
   * @param existing the TrainJobs that there are already
   */
  void startedLeading(KnownRuntimes runtimes, Stream<TrainJob> existing);

  /** This replica does not lead any more, and will not again. */
  void stoppedLeading();

  /** A TrainJob is looked at; this comes often. */
  void seen(TrainJob trainJob);

  /**
   * A TrainJob has just finished: the status that says so was written, and said otherwise before.
   *
   * @param status as it is now
   */
  void finished(TrainJob trainJob, TrainJobStatus status);

  /** A TrainJob is gone. */
  void deleted(TrainJob trainJob);
}
