package dev.waymark.plan;

import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.JobSetSpec;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerApi;
import dev.waymark.trainer.api.TrainerJson;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.List;

/** Turns a plan into the objects of a cluster. Pure, as the planner is. */
public final class Renderer {

  /**
   * Renders a plan.
   *
   * @param owner the TrainJob that was planned; its uid makes it the owner of each object
   */
  public static RenderedObjects render(RuntimePlan plan, TrainJob owner) {
    List<ConfigMap> configMaps = new ArrayList<>();
    List<SshSecret> sshSecrets = new ArrayList<>();
    for (HelperObject helper : plan.helpers()) {
      ObjectMeta metadata = owned(helper.name(), owner).build();
      if (helper instanceof HelperObject.Texts texts) {
        configMaps.add(
            new ConfigMapBuilder().withMetadata(metadata).withData(texts.data()).build());
      } else if (helper instanceof HelperObject.SshKeys) {
        sshSecrets.add(new SshSecret(metadata));
      }
    }
    return new RenderedObjects(jobSet(plan, owner), configMaps, sshSecrets);
  }

  private static JobSet jobSet(RuntimePlan plan, TrainJob owner) {
    JobSetSpec spec =
        plan.jobSet().with(plan.podSets().stream().map(PodSet::job).toList(), plan.suspend());
    JobSet jobSet = new JobSet();
    jobSet.setMetadata(
        owned(plan.name(), owner)
            .withLabels(plan.labels())
            .withAnnotations(plan.annotations())
            .build());
    jobSet.setSpec(TrainerJson.fromMap(GoSpelling.of(TrainerJson.toMap(spec)), JobSetSpec.class));
    return jobSet;
  }

  /** Metadata of an object that goes with its TrainJob. */
  static ObjectMetaBuilder owned(String name, TrainJob owner) {
    return new ObjectMetaBuilder()
        .withName(name)
        .withNamespace(owner.getMetadata().getNamespace())
        .addNewOwnerReference()
        .withApiVersion(TrainerApi.API_VERSION)
        .withKind(owner.getKind())
        .withName(owner.name())
        .withUid(owner.getMetadata().getUid())
        .withController(true)
        .withBlockOwnerDeletion(true)
        .endOwnerReference();
  }

  private Renderer() {}
}
