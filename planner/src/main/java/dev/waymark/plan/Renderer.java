package dev.waymark.plan;

import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.JobSetSpec;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerApi;
import dev.waymark.trainer.api.TrainerJson;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
      if (helper instanceof HelperObject.Texts texts) {
        configMaps.add(configMap(texts, owner));
      } else if (helper instanceof HelperObject.SshKeys) {
        sshSecrets.add(new SshSecret(owned(helper.name(), owner).build()));
      }
    }
    return new RenderedObjects(jobSet(plan, owner), configMaps, sshSecrets);
  }

  /**
   * The copy of the certificates by which a TrainJob's pods trust the status server, as {@link
   * #render} makes it of a plan: pods that run need it even where none can be made any more.
   *
   * @return empty in a cluster that takes no reports
   */
  public static Optional<ConfigMap> authorities(TrainJob owner, ClusterSettings settings) {
    return Optional.ofNullable(settings.progress())
        .map(progress -> configMap(ProgressPlugin.authorities(owner.name(), progress), owner));
  }

  private static ConfigMap configMap(HelperObject.Texts texts, TrainJob owner) {
    return new ConfigMapBuilder()
        .withMetadata(owned(texts.name(), owner).build())
        .withData(texts.data())
        .build();
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
