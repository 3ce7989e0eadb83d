package dev.waymark.controller.reconcile;

import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.Owners;
import dev.waymark.trainer.api.TrainJob;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which JobSets TrainJobs had that are gone: the pods that a deadline has ended have seconds left,
 * and a last word to say. The newest ones are remembered. Safe for every thread.
 */
final class DeletedJobSets {

  private static final int REMEMBERED = 4096;

  /** The uids of JobSets, by those of the TrainJobs that controlled them. */
  private final Map<String, String> uids =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
              return size() > REMEMBERED;
            }
          });

  /** Remembers a JobSet that has gone, if a TrainJob of its name controlled it. */
  void add(JobSet gone) {
    Owners.controller(gone)
        .filter(Owners::isTrainJob)
        .filter(owner -> gone.getMetadata().getName().equals(owner.getName()))
        .map(OwnerReference::getUid)
        .ifPresent(trainJob -> put(trainJob, gone.getMetadata().getUid()));
  }

  private void put(String trainJobUid, String jobSetUid) {
    synchronized (uids) {
      // A map keeps the place of a key that it has.
      uids.remove(trainJobUid);
      uids.put(trainJobUid, jobSetUid);
    }
  }

  /** Uid of the last JobSet of a TrainJob that has gone; empty when none is known. */
  Optional<String> lastUid(TrainJob trainJob) {
    return Optional.ofNullable(uids.get(trainJob.getMetadata().getUid()));
  }
}
