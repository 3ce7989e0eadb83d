package dev.waymark.plan;

import dev.waymark.trainer.api.RuntimeRef;
import dev.waymark.trainer.api.StorageInitializer;
import dev.waymark.trainer.api.TrainJob;
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
 * What the CRD of a TrainJob asks of its values, and that none is below zero where Kubernetes has
 * no such pod. A cluster's API server holds the CRD itself; here its rules are for TrainJobs that
 * never saw one. Source: kubeflow/trainer v2.3, {@code trainjob_types.go}.
 */
final class TrainJobRules {

  private static final Pattern NAME = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern STORAGE_URI =
      Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://.+", Pattern.UNIX_LINES);
  private static final Set<String> MANAGERS =
      Set.of(TrainerApi.MANAGED_BY_CONTROLLER, TrainerApi.MANAGED_BY_MULTIKUEUE);

  private static final int LONGEST_NAME = 253;
  private static final int LONGEST_IMAGE = 500;
  private static final int LONGEST_WORD = 1 << 20;
  private static final int LONGEST_URI = 2048;
  private static final int MOST_ITEMS = 128;

  private final TrainJob job;
  private final List<Refusal> refusals = new ArrayList<>();

  private TrainJobRules(TrainJob job) {
    this.job = job;
  }

  /** All of them, and whether the runtime is the one that is named. */
  static List<Refusal> check(PlanRequest request) {
    TrainJobRules rules = new TrainJobRules(request.job());
    rules.checkFields();
    TrainJobSpec spec = request.job().getSpec();
    if (spec != null
        && spec.runtimeRef() != null
        && !RuntimeLookup.isNamedBy(spec.runtimeRef(), request.job(), request.runtime())) {
      rules.invalid("spec.runtimeRef", "names another runtime than " + request.runtime().title());
    }
    return rules.refusals;
  }

  /** What can be said without the runtime. */
  static List<Refusal> checkFields(TrainJob job) {
    TrainJobRules rules = new TrainJobRules(job);
    rules.checkFields();
    return rules.refusals;
  }

  /** Values that no plan can be made of. */
  static List<Refusal> obstacles(TrainJob job) {
    TrainJobRules rules = new TrainJobRules(job);
    if (rules.checkReadable()) {
      rules.checkNames("spec.trainer.env", rules.trainer().env());
      rules.checkResources(rules.trainer());
    }
    return rules.refusals;
  }

  private void checkFields() {
    String name = job.name();
    if (name == null || !NAME.matcher(name).matches()) {
      invalid(
          "metadata.name",
          "\"" + name + "\": at most 63 of a-z, 0-9 and -, a letter first, no - at the end");
    }
    String namespace = job.getMetadata().getNamespace();
    if (namespace != null && !NAMESPACE.matcher(namespace).matches()) {
      invalid(
          "metadata.namespace",
          "\"" + namespace + "\": at most 63 of a-z, 0-9 and -, no - at either end");
    }
    if (!checkReadable()) {
      return;
    }
    TrainJobSpec spec = job.getSpec();
    checkRuntimeRef(spec.runtimeRef());
    checkTrainer(trainer());
    if (spec.initializer() != null) {
      checkInitializer("spec.initializer.dataset", spec.initializer().dataset());
      checkInitializer("spec.initializer.model", spec.initializer().model());
    }
    if (spec.activeDeadlineSeconds() != null && spec.activeDeadlineSeconds() < 1) {
      invalid("spec.activeDeadlineSeconds", "is " + spec.activeDeadlineSeconds() + ": at least 1");
    }
    if (spec.managedBy() != null && !MANAGERS.contains(spec.managedBy())) {
      invalid("spec.managedBy", "\"" + spec.managedBy() + "\": one of " + sorted(MANAGERS));
    }
  }

  private boolean checkReadable() {
    job.problems().forEach(problem -> invalid(problem.field(), problem.message()));
    job.patchProblems().forEach(problem -> invalid(problem.field(), problem.message()));
    if (job.getSpec() == null && refusals.stream().noneMatch(it -> it.field().startsWith("spec"))) {
      invalid("spec", "is missing");
    }
    return job.getSpec() != null;
  }

  private Trainer trainer() {
    Trainer trainer = job.getSpec().trainer();
    return trainer == null ? new Trainer(null, null, null, null, null, null, null, null) : trainer;
  }

  private void checkRuntimeRef(RuntimeRef ref) {
    if (ref == null) {
      invalid("spec.runtimeRef", "is missing");
      return;
    }
    if (ref.name() == null || ref.name().isEmpty()) {
      invalid("spec.runtimeRef.name", "is missing");
    }
    checkLength("spec.runtimeRef.name", ref.name(), LONGEST_NAME);
    checkLength("spec.runtimeRef.apiGroup", ref.apiGroup(), LONGEST_NAME);
    checkLength("spec.runtimeRef.kind", ref.kind(), LONGEST_NAME);
  }

  private void checkTrainer(Trainer trainer) {
    checkLength("spec.trainer.image", trainer.image(), LONGEST_IMAGE);
    checkWords("spec.trainer.command", trainer.command());
    checkWords("spec.trainer.args", trainer.args());
    if (trainer.numNodes() != null && trainer.numNodes() < 0) {
      invalid("spec.trainer.numNodes", "is " + trainer.numNodes() + ": at least 0");
    }
    if (trainer.numProcPerNode() != null && trainer.numProcPerNode() < 1) {
      invalid("spec.trainer.numProcPerNode", "is " + trainer.numProcPerNode() + ": at least 1");
    }
    checkEnv("spec.trainer.env", trainer.env());
    checkResources(trainer);
  }

  private void checkResources(Trainer trainer) {
    ResourceRequirements resources = trainer.resourcesPerNode();
    if (resources != null) {
      String path = "spec.trainer.resourcesPerNode.";
      NodeResources.wrongQuantities(resources)
          .forEach((field, wrong) -> invalid(path + field, wrong));
      NodeResources.belowZero(resources).forEach((field, wrong) -> forbid(path + field, wrong));
    }
  }

  private void checkInitializer(String path, StorageInitializer initializer) {
    if (initializer == null) {
      return;
    }
    String uri = initializer.storageUri();
    checkLength(path + ".storageUri", uri, LONGEST_URI);
    if (uri != null && !uri.isEmpty() && !STORAGE_URI.matcher(uri).matches()) {
      invalid(path + ".storageUri", "\"" + uri + "\": write scheme://..., as in hf://org/name");
    }
    checkEnv(path + ".env", initializer.env());
  }

  private void checkEnv(String path, List<EnvVar> env) {
    checkSize(path, env);
    checkNames(path, env);
    Set<String> names = new HashSet<>();
    for (int i = 0; env != null && i < env.size(); i++) {
      String name = env.get(i).getName();
      if (name != null && !name.isEmpty() && !names.add(name)) {
        invalid(path + "[" + i + "]", name + " stands twice: keep one");
      }
    }
  }

  private void checkNames(String path, List<EnvVar> env) {
    for (int i = 0; env != null && i < env.size(); i++) {
      if (env.get(i).getName() == null || env.get(i).getName().isEmpty()) {
        invalid(path + "[" + i + "].name", "is missing");
      }
    }
  }

  private void checkWords(String path, List<String> words) {
    checkSize(path, words);
    for (int i = 0; words != null && i < words.size(); i++) {
      checkLength(path + "[" + i + "]", words.get(i), LONGEST_WORD);
    }
  }

  private void checkSize(String path, List<?> items) {
    if (items != null && items.size() > MOST_ITEMS) {
      invalid(path, "has " + items.size() + " items: at most " + MOST_ITEMS);
    }
  }

  private void checkLength(String path, String text, int longest) {
    int length = text == null ? 0 : text.codePointCount(0, text.length());
    if (length > longest) {
      invalid(path, "has " + length + " characters: at most " + longest);
    }
  }

  private static List<String> sorted(Set<String> values) {
    return values.stream().sorted().toList();
  }

  private void invalid(String field, String message) {
    refusals.add(new Refusal(job.title(), Refusal.Kind.INVALID, field, message));
  }

  /** What the CRD takes. */
  private void forbid(String field, String message) {
    refusals.add(new Refusal(job.title(), Refusal.Kind.FORBIDDEN, field, message));
  }
}
