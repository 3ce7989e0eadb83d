package dev.waymark.plan;

import dev.waymark.trainer.api.RuntimeRef;
import dev.waymark.trainer.api.StorageInitializer;
import dev.waymark.trainer.api.TrainJobSpec;
import dev.waymark.trainer.api.Trainer;
import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What the CRD of a TrainJob asks of its values, where a wrong one would change the plan. Source:
 * kubeflow/trainer v2.3, {@code trainjob_types.go}.
 */
final class TrainJobRules {

  private static final Pattern NAME = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern STORAGE_URI = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://.+");
  private static final Set<String> MANAGERS =
      Set.of(TrainerApi.MANAGED_BY_CONTROLLER, TrainerApi.MANAGED_BY_MULTIKUEUE);

  private final PlanRequest request;
  private final List<Refusal> refusals = new ArrayList<>();

  private TrainJobRules(PlanRequest request) {
    this.request = request;
  }

  static List<Refusal> check(PlanRequest request) {
    TrainJobRules rules = new TrainJobRules(request);
    String name = request.job().name();
    if (name == null || !NAME.matcher(name).matches()) {
      rules.refuse(
          "metadata.name",
          "\"" + name + "\": at most 63 of a-z, 0-9 and -, a letter first, no - at the end");
    }
    String namespace = request.job().getMetadata().getNamespace();
    if (namespace != null && !NAMESPACE.matcher(namespace).matches()) {
      rules.refuse(
          "metadata.namespace",
          "\"" + namespace + "\": at most 63 of a-z, 0-9 and -, no - at either end");
    }
    TrainJobSpec spec = request.job().getSpec();
    if (spec == null) {
      rules.refuse("spec", "is missing");
      return rules.refusals;
    }
    rules.checkRuntimeRef(spec.runtimeRef());
    rules.checkTrainer(request.trainer());
    if (spec.initializer() != null) {
      rules.checkInitializer("spec.initializer.dataset", spec.initializer().dataset());
      rules.checkInitializer("spec.initializer.model", spec.initializer().model());
    }
    if (spec.managedBy() != null && !MANAGERS.contains(spec.managedBy())) {
      rules.refuse("spec.managedBy", "\"" + spec.managedBy() + "\": one of " + sorted(MANAGERS));
    }
    return rules.refusals;
  }

  private void checkRuntimeRef(RuntimeRef ref) {
    if (ref == null) {
      refuse("spec.runtimeRef", "is missing");
    } else if (!RuntimeLookup.isNamedBy(ref, request.job(), request.runtime())) {
      refuse("spec.runtimeRef", "names another runtime than " + request.runtime().title());
    }
  }

  private void checkTrainer(Trainer trainer) {
    if (trainer.numNodes() != null && trainer.numNodes() < 0) {
      refuse("spec.trainer.numNodes", "is " + trainer.numNodes() + ": at least 0");
    }
    if (trainer.numProcPerNode() != null && trainer.numProcPerNode() < 1) {
      refuse("spec.trainer.numProcPerNode", "is " + trainer.numProcPerNode() + ": at least 1");
    }
    checkEnv("spec.trainer.env", trainer.env());
    ResourceRequirements resources = trainer.resourcesPerNode();
    if (resources != null) {
      NodeResources.wrongQuantities(resources)
          .forEach((field, wrong) -> refuse("spec.trainer.resourcesPerNode." + field, wrong));
    }
  }

  private void checkInitializer(String path, StorageInitializer initializer) {
    if (initializer == null) {
      return;
    }
    String uri = initializer.storageUri();
    if (uri != null && !uri.isEmpty() && !STORAGE_URI.matcher(uri).matches()) {
      refuse(path + ".storageUri", "\"" + uri + "\": write scheme://..., as in hf://org/name");
    }
    checkEnv(path + ".env", initializer.env());
  }

  private void checkEnv(String path, List<EnvVar> env) {
    Set<String> names = new HashSet<>();
    for (int i = 0; env != null && i < env.size(); i++) {
      String name = env.get(i).getName();
      if (name == null || name.isEmpty()) {
        refuse(path + "[" + i + "].name", "is missing");
      } else if (!names.add(name)) {
        refuse(path + "[" + i + "].name", name + " stands twice: keep one");
      }
    }
  }

  private static List<String> sorted(Set<String> values) {
    return values.stream().sorted().toList();
  }

  private void refuse(String field, String message) {
    refusals.add(request.refuseJob(field, message));
  }
}
