package dev.waymark.client;

import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.TrainJob;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;

/** Reads the events of a TrainJob and of all that has come of it. */
final class TrainingEvents {

  /** The oldest first. */
  static List<TrainingEvent> read(Cluster cluster, String namespace, String name) {
    EventReader reader = new EventReader(tree(cluster, namespace, name));
    List<Event> kept = new ArrayList<>();
    cluster.pages(
        "list the events of namespace " + namespace,
        () -> cluster.client().v1().events().inNamespace(namespace),
        event -> {
          if (reader.isOfTrainJob(event)) {
            kept.add(event);
          }
        });
    return EventReader.read(kept);
  }

  /** The TrainJob, its JobSet, Jobs and pods, as far as they are there. */
  private static List<HasMetadata> tree(Cluster cluster, String namespace, String name) {
    TrainJob job = cluster.trainJob(namespace, name);
    List<HasMetadata> tree = new ArrayList<>();
    tree.add(job);
    JobSet jobSet =
        cluster.call(
            "read JobSet " + name,
            () ->
                cluster
                    .client()
                    .resources(JobSet.class)
                    .inNamespace(namespace)
                    .withName(name)
                    .get());
    if (jobSet != null && job.owns(jobSet)) {
      tree.add(jobSet);
    }
    cluster.pages(
        "list the Jobs of namespace " + namespace,
        () ->
            cluster
                .client()
                .batch()
                .v1()
                .jobs()
                .inNamespace(namespace)
                .withLabel(JobSetLabels.JOB_SET, name),
        tree::add);
    tree.addAll(cluster.podsOf(namespace, name));
    return tree;
  }

  private TrainingEvents() {}
}
