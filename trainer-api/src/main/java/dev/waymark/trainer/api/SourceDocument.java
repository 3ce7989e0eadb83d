package dev.waymark.trainer.api;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One document of a text as plain JSON values, which remembers the line of each of its fields.
 *
 * @param value maps, lists, text, numbers, booleans and nulls, all of them mutable
 * @param lines line of each field by its path
 */
record SourceDocument(
    String source, int number, int line, Object value, Map<String, Integer> lines) {

  /** Documents up to the first one whose syntax is wrong; that one becomes a problem. */
  static List<SourceDocument> split(
      String source, String text, Consumer<DocumentProblem> problems) {
    // YAML contains JSON, but its reader refuses JSON that is indented with tabs.
    return text.stripLeading().startsWith("{")
        ? new JsonSource(source, text, problems).documents()
        : new YamlSource(source, text, problems).documents();
  }

  /** The line of a field, or of the nearest thing around it that stands in the text. */
  int lineOf(String field) {
    for (String path = field; !path.isEmpty(); path = parent(path)) {
      Integer found = lines.get(path);
      if (found != null) {
        return found;
      }
    }
    return line;
  }

  DocumentProblem problem(String field, String message) {
    return new DocumentProblem(source, number, lineOf(field), field, message);
  }

  /**
   * Path of a field below another. A name with dots goes into brackets, as Kubernetes writes it.
   */
  static String child(String parent, String name) {
    if (name.indexOf('.') >= 0) {
      return parent + "[" + name + "]";
    }
    return parent.isEmpty() ? name : parent + "." + name;
  }

  static String child(String parent, int index) {
    return parent + "[" + index + "]";
  }

  private static String parent(String path) {
    int end = path.endsWith("]") ? path.lastIndexOf('[') : path.lastIndexOf('.');
    return path.substring(0, Math.max(end, 0));
  }
}
