package dev.waymark.client;

import dev.waymark.plan.TrainJobValidator;
import dev.waymark.trainer.api.FieldProblem;
import dev.waymark.trainer.api.Initializer;
import dev.waymark.trainer.api.RuntimeRef;
import dev.waymark.trainer.api.StorageInitializer;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobSpec;
import dev.waymark.trainer.api.Trainer;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the TrainJob that somebody asks for, and finds all that is wrong with it before a cluster
 * does. A TrainJob that somebody else wrote is checked in the same way.
 */
final class TrainJobDraft {

  private final TrainerRuntime runtime;
  private final DeviceMap devices;
  private final List<FieldProblem> problems = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  private TrainJobDraft(TrainerRuntime runtime, DeviceMap devices) {
    this.runtime = runtime;
    this.devices = devices;
  }

  /**
   * Writes a TrainJob.
   *
   * @param trainer null: the runtime's own
   * @param initializer null: none
   * @param namespace of the TrainJob
   * @param randomName for one that isn't given another
   * @throws TrainerException.Invalid with all that is wrong with it, if anything is
   */
  static Submission write(
      TrainerRuntime runtime,
      CustomTrainer trainer,
      JobInitializer initializer,
      TrainOptions options,
      String namespace,
      String randomName,
      DeviceMap devices) {
    TrainJobDraft draft = new TrainJobDraft(runtime, devices);
    TrainJob job = new TrainJob();
    job.setMetadata(
        metadata(options, namespace, options.name() == null ? randomName : options.name()));
    job.setSpec(
        new TrainJobSpec(
            new RuntimeRef(runtime.name(), TrainerApi.GROUP, runtime.kind().kind(), null),
            draft.initializer(initializer),
            draft.trainer(trainer),
            options.runtimePatches().isEmpty() ? null : options.runtimePatches(),
            options.suspend() ? true : null,
            options.activeDeadlineSeconds(),
            options.managedBy(),
            null));
    return draft.checked(job);
  }

  /**
   * Checks a TrainJob that is written already.
   *
   * @throws TrainerException.Invalid with all that is wrong with it, if anything is
   */
  static Submission check(TrainJob job, TrainerRuntime runtime, DeviceMap devices) {
    return new TrainJobDraft(runtime, devices).checked(job);
  }

  private Submission checked(TrainJob job) {
    TrainJobValidator.submission(job, runtime.resource()).stream()
        .map(refusal -> new FieldProblem(refusal.field(), refusal.message()))
        .filter(problem -> !problems.contains(problem))
        .forEach(problems::add);
    Trainer trainer = job.getSpec() == null ? null : job.getSpec().trainer();
    if (trainer != null && trainer.numNodes() != null && trainer.numNodes() == 0) {
      problems.add(
          new FieldProblem(
              "spec.trainer.numNodes", "is 0: at least 1; suspend a TrainJob that is to wait"));
    }
    if (trainer != null && trainer.resourcesPerNode() != null) {
      warnAboutLauncher();
    }
    if (!problems.isEmpty()) {
      throw new TrainerException.Invalid(job.title(), problems);
    }
    return new Submission(job, warnings);
  }

  private static ObjectMeta metadata(TrainOptions options, String namespace, String name) {
    return new ObjectMetaBuilder()
        .withName(name)
        .withNamespace(namespace)
        .withLabels(options.labels().isEmpty() ? null : options.labels())
        .withAnnotations(options.annotations().isEmpty() ? null : options.annotations())
        .build();
  }

  /** Null when nothing is said, since the API server tells an empty trainer from none. */
  private Trainer trainer(CustomTrainer trainer) {
    if (trainer == null) {
      return null;
    }
    if (!runtime.takesPrograms()) {
      problems.add(
          new FieldProblem(
              "spec.runtimeRef",
              runtime.title() + " has its trainer built in (torchtune) and runs no other program"));
    }
    Launch launch = Launch.of(trainer.program(), runtime, problems::add);
    Trainer written =
        new Trainer(
            trainer.image() == null || trainer.image().isEmpty() ? null : trainer.image(),
            launch.command(),
            args(launch),
            trainer.env().isEmpty() ? null : trainer.env(),
            trainer.numNodes(),
            resources(trainer),
            processes(trainer, launch),
            null);
    return written.equals(new Trainer(null, null, null, null, null, null, null, null))
        ? null
        : written;
  }

  /** None at all where there are none to replace. */
  private List<String> args(Launch launch) {
    boolean replacesNone =
        launch.args() != null
            && launch.args().isEmpty()
            && RuntimeReader.trainer(runtime.resource())
                .map(Container::getArgs)
                .filter(args -> !args.isEmpty())
                .isEmpty();
    return replacesNone ? null : launch.args();
  }

  /**
   * A JVM uses all CPUs of its node by itself. Torch's policy would start as many as there are CPUs
   * (kubeflow/trainer#2407).
   */
  private Integer processes(CustomTrainer trainer, Launch launch) {
    return trainer.numProcPerNode() == null && launch.isJvm() && runtime.isTorch()
        ? Integer.valueOf(1)
        : trainer.numProcPerNode();
  }

  /**
   * What is asked for, with the runtime's accelerators where the asking names none: Kubeflow's
   * controller counts processes by those of the TrainJob alone (kubeflow/trainer#3974). Where it
   * names others, the runtime's stay beside them, since controllers merge the two by name.
   */
  private ResourceRequirements resources(CustomTrainer trainer) {
    if (trainer.resourcesPerNode().isEmpty()) {
      return null;
    }
    Map<String, Quantity> asked =
        new LinkedHashMap<>(
            ResourcesPerNode.read(trainer.resourcesPerNode(), devices, problems::add));
    boolean namesNone = asked.keySet().stream().noneMatch(devices::isAccelerator);
    RuntimeReader.trainer(runtime.resource())
        .map(Container::getResources)
        .map(ResourceRequirements::getLimits)
        .orElse(Map.of())
        .forEach(
            (name, amount) -> {
              if (devices.isAccelerator(name) && namesNone) {
                asked.put(name, amount);
              } else if (devices.isAccelerator(name) && !asked.containsKey(name)) {
                warnings.add(alsoOfRuntime(name, amount));
              }
            });
    return ResourcesPerNode.both(asked);
  }

  private String alsoOfRuntime(String name, Quantity amount) {
    return "resourcesPerNode: each node gets "
        + name
        + ": "
        + amount
        + " of "
        + runtime.title()
        + " as well; say "
        + name
        + "=0 if it is to have none";
  }

  private void warnAboutLauncher() {
    if (runtime.isMpi()) {
      warnings.add(
          "resourcesPerNode: Kubeflow's controller gives them to the launcher of "
              + runtime.title()
              + " only (kubeflow/trainer#2650); Waymark's gives them to its nodes");
    }
  }

  private Initializer initializer(JobInitializer initializer) {
    if (initializer == null || (initializer.dataset() == null && initializer.model() == null)) {
      return null;
    }
    return new Initializer(
        fetched(initializer.dataset(), "spec.initializer.dataset"),
        fetched(initializer.model(), "spec.initializer.model"),
        null);
  }

  private StorageInitializer fetched(StorageSource source, String field) {
    if (source == null) {
      return null;
    }
    source.problem(field).ifPresent(problems::add);
    return source.toInitializer();
  }
}
