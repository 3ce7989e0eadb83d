package dev.waymark.trainer.api;

/**
 * One thing that is wrong with a document, told to the person who wrote it.
 *
 * @param source where the text came from, usually a file name
 * @param document number of the document within the text, from 1
 * @param line within the text, from 1
 * @param field path of the field, such as {@code spec.trainer.env[0].name}; empty for the document
 *     as a whole
 * @param message what is wrong and what would be right
 */
public record DocumentProblem(String source, int document, int line, String field, String message) {

  /** {@code job.yaml:12: document 1: spec.trainer.numNodes: ...}. */
  @Override
  public String toString() {
    String where = source + ":" + line + ": document " + document + ": ";
    return where + (field.isEmpty() ? "" : field + ": ") + message;
  }
}
