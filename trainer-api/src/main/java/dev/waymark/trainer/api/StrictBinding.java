package dev.waymark.trainer.api;

import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.temporal.Temporal;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Binds JSON values to types as an API server would, and tells all that does not fit. */
final class StrictBinding {

  /** A person mends a few mistakes at a time; more than these say that the file is another one. */
  private static final int MOST_PROBLEMS = 20;

  /**
   * Binds as often as there are fields of a wrong type, each time without those found before.
   *
   * @param json changed where something does not fit: give a copy of what is to stay
   * @param path where the value stands, for the problems; empty for a whole document
   * @return the value without the fields that do not fit; null if nothing is left of it
   */
  static <T> T bind(Object json, Class<T> type, String path, Consumer<FieldProblem> problems) {
    if (!(json instanceof Map<?, ?> untyped)) {
      problems.accept(
          new FieldProblem(path, "is " + describe(json) + ", expected a mapping of fields"));
      return null;
    }
    Map<String, Object> fields = asFields(untyped);
    for (int i = 0; i < MOST_PROBLEMS; i++) {
      try {
        return TrainerJson.fromMap(fields, type);
      } catch (IllegalArgumentException e) {
        if (!(e.getCause() instanceof JsonMappingException mismatch)) {
          problems.accept(new FieldProblem(path, "does not fit: " + e.getMessage()));
          return null;
        }
        Object wrong = remove(fields, mismatch.getPath());
        problems.accept(
            new FieldProblem(path(path, mismatch.getPath()), isOfWrongType(wrong, mismatch)));
        if (wrong == null) {
          return null;
        }
      }
    }
    return null;
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
    } else if (expected == Quantity.class) {
      return is + ", expected a quantity such as 2, 500m or 8Gi";
    } else if (expected == Object.class) {
      return is + ", which does not fit here"; // fabric8's own readers don't say more
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

  /** A value in words. */
  static String describe(Object value) {
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

  @SuppressWarnings("unchecked") // JSON objects have text as keys
  private static Map<String, Object> asFields(Map<?, ?> fields) {
    return (Map<String, Object>) fields;
  }

  private StrictBinding() {}
}
