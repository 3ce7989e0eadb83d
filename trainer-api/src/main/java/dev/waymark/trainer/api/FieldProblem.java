package dev.waymark.trainer.api;

/**
 * One thing that is wrong with a field of an object.
 *
 * @param field path of the field, such as {@code spec.trainer.numNodes}
 * @param message what is wrong and what would be right
 */
public record FieldProblem(String field, String message) {

  /** {@code spec.trainer.numNodes: ...}. */
  @Override
  public String toString() {
    return field + ": " + message;
  }
}
