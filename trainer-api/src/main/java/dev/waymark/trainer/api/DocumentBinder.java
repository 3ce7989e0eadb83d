package dev.waymark.trainer.api;

import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.time.temporal.Temporal;
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

  private static final Map<String, Class<? extends TrainerResource<?>>> KINDS = kinds();

  static final String KNOWN_KINDS =
      String.join(" or ", KINDS.keySet()) + " (apiVersion: " + TrainerApi.API_VERSION + ")";

  /** A person mends a few mistakes at a time; more than these say that the file is another one. */
  private static final int MOST_TYPE_PROBLEMS = 20;

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
  Optional<TrainerResource<?>> bind() {
    if (!(document.value() instanceof Map<?, ?> untyped)) {
      problem("", "is " + describe(document.value()) + ", expected " + KNOWN_KINDS);
      return Optional.empty();
    }
    Map<String, Object> fields = asFields(untyped);
    Optional<Class<? extends TrainerResource<?>>> kind = kind(fields);
    if (kind.isEmpty()) {
      return Optional.empty();
    }
    refuseNullItems("", fields);
    dropNulls("", fields);
    TrainerResource<?> resource = convert(fields, kind.get(), "");
    if (failed) {
      return Optional.empty();
    }
    warnAboutUnknownFields("", fields, TrainerJson.toMapOfKnownFields(resource));
    requireNames(resource);
    checkPatches(resource);
    return failed ? Optional.empty() : Optional.of(resource);
  }

  private Optional<Class<? extends TrainerResource<?>>> kind(Map<String, Object> fields) {
    Object apiVersion = fields.get("apiVersion");
    Object kind = fields.get("kind");
    Class<? extends TrainerResource<?>> type = kind instanceof String ? KINDS.get(kind) : null;
    if (type == null) {
      problem("kind", isNot(kind) + "expected " + KNOWN_KINDS);
    } else if (!TrainerApi.API_VERSION.equals(apiVersion)) {
      problem("apiVersion", isNot(apiVersion) + "write apiVersion: " + TrainerApi.API_VERSION);
    }
    return failed ? Optional.empty() : Optional.of(type);
  }

  /** Binds as often as there are fields of a wrong type, each time without those found before. */
  private <T> T convert(Map<String, Object> fields, Class<T> type, String path) {
    for (int i = 0; i < MOST_TYPE_PROBLEMS; i++) {
      try {
        return TrainerJson.fromMap(fields, type);
      } catch (IllegalArgumentException e) {
        if (!(e.getCause() instanceof JsonMappingException mismatch)) {
          problem(path, "does not fit: " + e.getMessage());
          return null;
        }
        Object wrong = remove(fields, mismatch.getPath());
        problem(path(path, mismatch.getPath()), isOfWrongType(wrong, mismatch));
        if (wrong == null) {
          return null;
        }
      }
    }
    return null;
  }

  private void requireNames(TrainerResource<?> resource) {
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
  private void checkPatches(TrainerResource<?> resource) {
    if (!(resource instanceof TrainJob job) || job.getSpec() == null) {
      return;
    }
    List<RuntimePatch> patches = job.getSpec().runtimePatches();
    for (int i = 0; patches != null && i < patches.size(); i++) {
      String path = "spec.runtimePatches[" + i + "].trainingRuntimeSpec";
      Map<String, Object> patch = patches.get(i).trainingRuntimeSpec();
      if (patch != null) {
        TrainingRuntimeSpec typed =
            convert(new LinkedHashMap<>(patch), TrainingRuntimeSpec.class, path);
        if (typed != null) {
          warnAboutUnknownFields(path, patch, TrainerJson.toMapOfKnownFields(typed));
        }
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

  private void problem(String field, String message) {
    failed = true;
    problems.accept(document.problem(field, message));
  }

  private void warning(String field, String message) {
    warnings.accept(document.problem(field, message));
  }

  private static String isNot(Object value) {
    return value == null ? "is missing: " : "is " + describe(value) + ": ";
  }

  private static String isOfWrongType(Object value, JsonMappingException mismatch) {
    Class<?> expected = expectedType(mismatch);
    String is = "is " + describe(value);
    boolean scalar = value instanceof Number || value instanceof Boolean;
    if (expected == String.class && scalar) {
      return is + ", expected text: put it in quotes";
    } else if (expected == String.class) {
      return is + ", expected text";
    } else if (expected == Boolean.class || expected == boolean.class) {
      return is + ", expected true or false, without quotes";
    } else if (isWholeNumber(expected)) {
      return value instanceof Number number && number.doubleValue() % 1 == 0
          ? is + ", too far from 0"
          : is + ", expected a whole number, without quotes";
    } else if (Temporal.class.isAssignableFrom(expected)) {
      return is + ", expected a time such as 2026-01-02T03:04:05Z";
    } else if (Collection.class.isAssignableFrom(expected)) {
      return is + ", expected a list";
    } else if (expected == Object.class) {
      return is + ", which does not fit here"; // fabric8's quantities don't say more
    } else if (scalar || value instanceof String || value instanceof List) {
      return is + ", expected a mapping of fields";
    }
    return is + ": " + mismatch.getOriginalMessage();
  }

  private static Class<?> expectedType(JsonMappingException mismatch) {
    Class<?> type = null;
    if (mismatch instanceof MismatchedInputException wrongType) {
      type = wrongType.getTargetType();
    } else if (mismatch.getCause() instanceof InputCoercionException outOfRange) {
      type = outOfRange.getTargetType();
    }
    return type == null ? Object.class : type;
  }

  private static boolean isWholeNumber(Class<?> type) {
    return type == Integer.class || type == Long.class || type == int.class || type == long.class;
  }

  private static String describe(Object value) {
    if (value == null) {
      return "empty";
    } else if (value instanceof Map) {
      return "a mapping";
    } else if (value instanceof List) {
      return "a list";
    } else if (value instanceof String text) {
      return "the text \"" + (text.length() > 60 ? text.substring(0, 60) + "..." : text) + '"';
    }
    return (value instanceof Boolean ? "the boolean " : "the number ") + value;
  }

  private static String path(String path, List<Reference> references) {
    String field = path;
    for (Reference step : references) {
      field =
          step.getFieldName() == null
              ? SourceDocument.child(field, step.getIndex())
              : SourceDocument.child(field, step.getFieldName());
    }
    return field;
  }

  /** Takes a value out (a list keeps its length), and returns it; null if it isn't there. */
  private static Object remove(Object root, List<Reference> references) {
    Object around = root;
    for (int i = 0; i < references.size(); i++) {
      Reference step = references.get(i);
      boolean last = i == references.size() - 1;
      if (around instanceof Map<?, ?> fields) {
        around = last ? fields.remove(step.getFieldName()) : fields.get(step.getFieldName());
      } else if (around instanceof List<?> items && step.getIndex() < items.size()) {
        around = last ? items.set(step.getIndex(), null) : items.get(step.getIndex());
      } else {
        return null;
      }
    }
    return around;
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

  private static Map<String, Class<? extends TrainerResource<?>>> kinds() {
    Map<String, Class<? extends TrainerResource<?>>> kinds = new LinkedHashMap<>();
    kinds.put("TrainJob", TrainJob.class);
    kinds.put("TrainingRuntime", TrainingRuntime.class);
    kinds.put("ClusterTrainingRuntime", ClusterTrainingRuntime.class);
    return kinds;
  }
}
