package dev.waymark.trainer.api;

import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.function.Consumer;

/** Turns one document into the object it describes, and tells what is wrong with it. */
final class DocumentBinder {

  private static final Map<String, Class<? extends TrainerResource<?, ?>>> KINDS = kinds();

  static final String KNOWN_KINDS =
      String.join(" or ", KINDS.keySet()) + " (apiVersion: " + TrainerApi.API_VERSION + ")";

  private final SourceDocument document;
  private final Consumer<DocumentProblem> problems;
  private final Consumer<DocumentProblem> warnings;
  private boolean failed;

  DocumentBinder(
      SourceDocument document,
      Consumer<DocumentProblem> problems,
      Consumer<DocumentProblem> warnings) {
    this.document = document;
    this.problems = problems;
    this.warnings = warnings;
  }

  /** The object, or empty if there was a problem. */
  Optional<TrainerResource<?, ?>> bind() {
    if (!(document.value() instanceof Map<?, ?> untyped)) {
      problem("", "is " + StrictBinding.describe(document.value()) + ", expected " + KNOWN_KINDS);
      return Optional.empty();
    }
    Map<String, Object> fields = asFields(untyped);
    Optional<Class<? extends TrainerResource<?, ?>>> kind = kind(fields);
    if (kind.isEmpty()) {
      return Optional.empty();
    }
    refuseNullItems("", fields);
    dropNulls("", fields);
    TrainerResource<?, ?> resource = StrictBinding.bind(fields, kind.get(), "", this::problem);
    if (resource != null) {
      resource.problems().forEach(this::problem);
    }
    if (failed) {
      return Optional.empty();
    }
    warnAboutUnknownFields("", fields, TrainerJson.toMapOfKnownFields(resource));
    requireNames(resource);
    checkPatches(resource);
    return failed ? Optional.empty() : Optional.of(resource);
  }

  private Optional<Class<? extends TrainerResource<?, ?>>> kind(Map<String, Object> fields) {
    Object apiVersion = fields.get("apiVersion");
    Object kind = fields.get("kind");
    Class<? extends TrainerResource<?, ?>> type = kind instanceof String ? KINDS.get(kind) : null;
    if (type == null) {
      problem("kind", isNot(kind) + "expected " + KNOWN_KINDS);
    } else if (!TrainerApi.API_VERSION.equals(apiVersion)) {
      problem("apiVersion", isNot(apiVersion) + "write apiVersion: " + TrainerApi.API_VERSION);
    }
    return failed ? Optional.empty() : Optional.of(type);
  }

  private void requireNames(TrainerResource<?, ?> resource) {
    if (isBlank(resource.name())) {
      problem("metadata.name", "is missing: every " + resource.getKind() + " needs a name");
    }
    if (resource.getSpec() == null) {
      problem("spec", "is missing: a " + resource.getKind() + " is nothing without one");
    } else if (resource instanceof TrainJob job) {
      RuntimeRef runtime = job.getSpec().runtimeRef();
      if (runtime == null || isBlank(runtime.name())) {
        problem("spec.runtimeRef.name", "is missing: name the runtime that the TrainJob uses");
      }
    }
  }

  /** A patch stays JSON, so its types are checked against those of what it patches. */
  private void checkPatches(TrainerResource<?, ?> resource) {
    if (!(resource instanceof TrainJob job) || job.getSpec() == null) {
      return;
    }
    List<RuntimePatch> patches = job.getSpec().runtimePatches();
    for (int i = 0; patches != null && i < patches.size(); i++) {
      String path = "spec.runtimePatches[" + i + "]";
      TrainingRuntimeSpec typed = patches.get(i).typed(path, this::problem);
      if (typed != null) {
        warnAboutUnknownFields(
            path + ".trainingRuntimeSpec",
            patches.get(i).trainingRuntimeSpec(),
            TrainerJson.toMapOfKnownFields(typed));
      }
    }
  }

  private void refuseNullItems(String path, Object value) {
    if (value instanceof Map<?, ?> fields) {
      asFields(fields)
          .forEach((name, field) -> refuseNullItems(SourceDocument.child(path, name), field));
    } else if (value instanceof List<?> items) {
      for (int i = 0; i < items.size(); i++) {
        String item = SourceDocument.child(path, i);
        if (items.get(i) == null) {
          problem(item, "is an empty list item: fill it in or take it out");
        } else {
          refuseNullItems(item, items.get(i));
        }
      }
    }
  }

  private void warnAboutUnknownFields(String path, Object read, Object known) {
    if (read instanceof Map<?, ?> fields && known instanceof Map<?, ?> knownFields) {
      asFields(fields)
          .forEach(
              (name, value) -> {
                String field = SourceDocument.child(path, name);
                if (knownFields.containsKey(name)) {
                  warnAboutUnknownFields(field, value, knownFields.get(name));
                } else if (!isEmpty(value)) {
                  warning(field, "is not a field of this API version: it has no effect");
                }
              });
    } else if (read instanceof List<?> items && known instanceof List<?> knownItems) {
      for (int i = 0; i < Math.min(items.size(), knownItems.size()); i++) {
        warnAboutUnknownFields(SourceDocument.child(path, i), items.get(i), knownItems.get(i));
      }
    }
  }

  /** An API server treats null like an absent field, except in a patch, where it deletes. */
  private void dropNulls(String path, Object value) {
    if (path.equals("spec.runtimePatches")) {
      return;
    }
    if (value instanceof Map<?, ?> fields) {
      for (Iterator<Entry<String, Object>> it = asFields(fields).entrySet().iterator();
          it.hasNext(); ) {
        Entry<String, Object> field = it.next();
        String child = SourceDocument.child(path, field.getKey());
        if (field.getValue() != null) {
          dropNulls(child, field.getValue());
        } else {
          it.remove();
          if (!child.endsWith(".creationTimestamp")) { // kubectl itself prints it empty
            warning(child, "is empty and counts as absent: write {} to mean an empty object");
          }
        }
      }
    } else if (value instanceof List<?> items) {
      for (int i = 0; i < items.size(); i++) {
        dropNulls(SourceDocument.child(path, i), items.get(i));
      }
    }
  }

  private void problem(FieldProblem problem) {
    problem(problem.field(), problem.message());
  }

  private void problem(String field, String message) {
    failed = true;
    problems.accept(document.problem(field, message));
  }

  private void warning(String field, String message) {
    warnings.accept(document.problem(field, message));
  }

  private static String isNot(Object value) {
    return value == null ? "is missing: " : "is " + StrictBinding.describe(value) + ": ";
  }

  private static boolean isBlank(String text) {
    return text == null || text.isBlank();
  }

  private static boolean isEmpty(Object value) {
    return value == null
        || (value instanceof Map<?, ?> fields && fields.isEmpty())
        || (value instanceof Collection<?> items && items.isEmpty());
  }

  @SuppressWarnings("unchecked") // both sources make text of every key
  private static Map<String, Object> asFields(Map<?, ?> fields) {
    return (Map<String, Object>) fields;
  }

  private static Map<String, Class<? extends TrainerResource<?, ?>>> kinds() {
    Map<String, Class<? extends TrainerResource<?, ?>>> kinds = new LinkedHashMap<>();
    kinds.put("TrainJob", TrainJob.class);
    kinds.put("TrainingRuntime", TrainingRuntime.class);
    kinds.put("ClusterTrainingRuntime", ClusterTrainingRuntime.class);
    return kinds;
  }
}
