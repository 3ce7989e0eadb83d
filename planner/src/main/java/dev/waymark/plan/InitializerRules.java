package dev.waymark.plan;

import dev.waymark.trainer.api.Initializer;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.Container;
import java.util.ArrayList;
import java.util.List;

/** A TrainJob can fetch something first only if its runtime has the job and the volume for it. */
final class InitializerRules {

  private static final String VOLUME = "initializer";

  static List<Refusal> check(PlanRequest request, RuntimePlan plan) {
    List<Refusal> refusals = new ArrayList<>();
    Initializer initializer = request.job().getSpec().initializer();
    if (initializer != null && initializer.dataset() != null) {
      check(request, plan, TrainerApi.ANCESTOR_DATASET_INITIALIZER, "dataset", refusals);
    }
    if (initializer != null && initializer.model() != null) {
      check(request, plan, TrainerApi.ANCESTOR_MODEL_INITIALIZER, "model", refusals);
    }
    return refusals;
  }

  private static void check(
      PlanRequest request, RuntimePlan plan, String name, String what, List<Refusal> refusals) {
    boolean fits =
        plan.podSet(name)
            .flatMap(podSet -> podSet.container(name))
            .filter(InitializerRules::mountsVolume)
            .isPresent();
    if (!fits) {
      refusals.add(
          request.forbidRuntime(
              "spec.template.spec.replicatedJobs",
              "spec.initializer."
                  + what
                  + " needs a job "
                  + name
                  + " with a container "
                  + name
                  + " that mounts the volume "
                  + VOLUME));
    }
  }

  private static boolean mountsVolume(Container container) {
    return container.getVolumeMounts().stream().anyMatch(mount -> VOLUME.equals(mount.getName()));
  }

  private InitializerRules() {}
}
