package dev.waymark.plan;

import dev.waymark.trainer.api.Initializer;
import dev.waymark.trainer.api.StorageInitializer;
import dev.waymark.trainer.api.Trainer;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvFromSourceBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import java.util.List;

/**
 * What {@code spec.trainer} and {@code spec.initializer} say, put over everything else: the user
 * has the last word.
 */
final class TrainJobOverrides implements PlanPlugin {

  private static final String STORAGE_URI = "STORAGE_URI";

  @Override
  public boolean handles(PlanRequest request) {
    return true;
  }

  /** What its runtime has no place for. */
  @Override
  public List<Refusal> validate(PlanRequest request, RuntimePlan plan) {
    return InitializerRules.check(request, plan);
  }

  @Override
  public RuntimePlan apply(PlanRequest request, RuntimePlan plan) {
    return plan.withPodSets(podSet -> override(request, podSet));
  }

  private static PodSet override(PlanRequest request, PodSet podSet) {
    Initializer initializer = request.job().getSpec().initializer();
    String step = podSet.ancestor() == null ? "" : podSet.ancestor();
    return switch (step) {
      case TrainerApi.ANCESTOR_TRAINER ->
          podSet.withContainer(TrainerApi.NODE, node -> train(node, request));
      case TrainerApi.ANCESTOR_DATASET_INITIALIZER ->
          fetch(podSet, initializer == null ? null : initializer.dataset());
      case TrainerApi.ANCESTOR_MODEL_INITIALIZER ->
          fetch(podSet, initializer == null ? null : initializer.model());
      default -> isNodeBesideLauncher(request, podSet) ? withEnv(request, podSet) : podSet;
    };
  }

  private static boolean isNodeBesideLauncher(PlanRequest request, PodSet podSet) {
    return MpiPlugin.launcherIsNode(request) && podSet.name().equals(TrainerApi.NODE);
  }

  private static PodSet withEnv(PlanRequest request, PodSet podSet) {
    return podSet.withContainer(
        TrainerApi.NODE, node -> ContainerEdits.withEnv(node, request.env()));
  }

  private static Container train(Container node, PlanRequest request) {
    Trainer trainer = request.trainer();
    ContainerBuilder own = new ContainerBuilder(node);
    if (trainer.image() != null) {
      own.withImage(trainer.image());
    }
    if (trainer.command() != null) {
      own.withCommand(trainer.command());
    }
    if (trainer.args() != null) {
      own.withArgs(trainer.args());
    }
    return ContainerEdits.withEnv(own.build(), request.env());
  }

  private static PodSet fetch(PodSet podSet, StorageInitializer initializer) {
    return initializer == null
        ? podSet
        : podSet.withContainer(podSet.ancestor(), container -> fetch(container, initializer));
  }

  private static Container fetch(Container container, StorageInitializer initializer) {
    List<EnvVar> uri =
        initializer.storageUri() == null
            ? List.of()
            : List.of(FrameworkEnv.variable(STORAGE_URI, initializer.storageUri()));
    Container own =
        ContainerEdits.withEnv(
            ContainerEdits.withEnv(container, uri), PlanRequest.handedOn(initializer.env()));
    return initializer.secretRef() == null
        ? own
        : new ContainerBuilder(own)
            .addToEnvFrom(
                new EnvFromSourceBuilder()
                    .withNewSecretRef()
                    .withName(initializer.secretRef().getName())
                    .endSecretRef()
                    .build())
            .build();
  }
}
