package dev.waymark.controller.reconcile;

import dev.waymark.controller.Practice;
import dev.waymark.controller.SampleTrainJob;
import dev.waymark.plan.Observation;
import dev.waymark.plan.Planner;
import dev.waymark.plan.RenderedObjects;
import dev.waymark.plan.Renderer;
import dev.waymark.plan.RuntimeSnapshot;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerJson;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Does what is done for a new TrainJob, but for the requests: it is read, planned and rendered, its
 * objects are written, and read again from an answer and from a watch.
 */
final class ReconcileRehearsal implements Practice {

  private final KubernetesSerialization serialization;
  private final RuntimeResource runtime = SampleTrainJob.runtime();
  private final String snapshot = RuntimeSnapshot.text(runtime);

  /**
   * Makes a rehearsal.
   *
   * @param serialization what the watches are read with
   */
  ReconcileRehearsal(KubernetesSerialization serialization) {
    this.serialization = serialization;
  }

  @Override
  public void round() {
    perform();
  }

  /** Returns the JobSet that the sample becomes. */
  JobSet perform() {
    TrainJob trainJob = (TrainJob) watched(SampleTrainJob.JSON);
    RenderedObjects rendered =
        Renderer.render(
            Planner.planAdmitted(trainJob, runtime, SampleTrainJob.settings()), trainJob);
    Fingerprint.strip(stored(RuntimeSnapshot.of(trainJob, snapshot), ConfigMap.class));
    rendered
        .configMaps()
        .forEach(configMap -> Fingerprint.strip(stored(configMap, ConfigMap.class)));
    JobSet jobSet = stored(rendered.jobSet(), JobSet.class);
    Observation.of(trainJob, jobSet, Instant.EPOCH);
    return jobSet;
  }

  private <T extends KubernetesResource> T stored(T object, Class<T> type) {
    String json = TrainerJson.write(object);
    watched(json);
    return serialization.unmarshal(
        new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)), type);
  }

  private Object watched(String json) {
    String event = "{\"type\":\"ADDED\",\"object\":" + json + "}";
    return serialization.unmarshal(event, WatchEvent.class).getObject();
  }
}
