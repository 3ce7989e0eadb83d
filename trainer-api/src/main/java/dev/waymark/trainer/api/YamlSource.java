package dev.waymark.trainer.api;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;

/** Splits a YAML text into documents. */
final class YamlSource {

  /** Aliases can make a short text a huge value; no honest file of TrainJobs comes near this. */
  private static final int MOST_VALUES = 200_000;

  private final String source;
  private final String text;
  private final Consumer<DocumentProblem> problems;
  private final List<SourceDocument> documents = new ArrayList<>();
  private int number;
  private int values;
  private Map<String, Integer> lines = new HashMap<>();

  YamlSource(String source, String text, Consumer<DocumentProblem> problems) {
    this.source = source;
    this.text = text;
    this.problems = problems;
  }

  List<SourceDocument> documents() {
    LoaderOptions options = new LoaderOptions();
    ParserImpl parser = new ParserImpl(new StreamReader(text), options);
    Composer composer = new Composer(parser, new KubernetesScalars(), options);
    try {
      for (number = 1; composer.checkNode(); number++) {
        lines = new HashMap<>();
        Node root = composer.getNode();
        Object value = value(root, "", Collections.newSetFromMap(new IdentityHashMap<>()));
        if (value != null) {
          documents.add(new SourceDocument(source, number, line(root), value, lines));
        }
      }
    } catch (InvalidYamlException e) {
      problems.accept(e.problem);
    } catch (MarkedYAMLException e) {
      Mark mark = e.getProblemMark() == null ? e.getContextMark() : e.getProblemMark();
      problems.accept(problem(mark == null ? 1 : mark.getLine() + 1, "", syntaxError(e)));
    } catch (ReaderException e) {
      String before = text.substring(0, text.offsetByCodePoints(0, e.getPosition()));
      String character = String.format("U+%04X", e.getCodePoint());
      problems.accept(
          problem(
              1 + (int) before.chars().filter(c -> c == '\n').count(),
              "",
              "character " + character + " is not allowed in YAML"));
    } catch (YAMLException e) {
      problems.accept(problem(1, "", "not YAML: " + e.getMessage()));
    }
    return documents;
  }

  private Object value(Node node, String path, Set<Node> around) {
    lines.putIfAbsent(path, line(node));
    if (++values > MOST_VALUES) {
      throw new InvalidYamlException(
          problem(line(node), path, "more than " + MOST_VALUES + " values: aliases blow it up"));
    }
    if (node instanceof ScalarNode scalar) {
      return scalar(scalar, path);
    }
    if (!around.add(node)) {
      throw new InvalidYamlException(problem(line(node), path, "an alias that contains itself"));
    }
    Object value =
        node instanceof MappingNode mapping
            ? mapping(mapping, path, around)
            : sequence((SequenceNode) node, path, around);
    around.remove(node);
    return value;
  }

  private Object scalar(ScalarNode scalar, String path) {
    try {
      return KubernetesScalars.valueOf(scalar);
    } catch (IllegalArgumentException e) {
      throw new InvalidYamlException(problem(line(scalar), path, e.getMessage()));
    }
  }

  private List<Object> sequence(SequenceNode sequence, String path, Set<Node> around) {
    List<Object> items = new ArrayList<>();
    for (Node item : sequence.getValue()) {
      items.add(value(item, SourceDocument.child(path, items.size()), around));
    }
    return items;
  }

  private Map<String, Object> mapping(MappingNode mapping, String path, Set<Node> around) {
    Map<String, Object> fields = new LinkedHashMap<>();
    Map<String, Integer> seen = new HashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      if (isMerge(tuple)) {
        continue;
      }
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        throw new InvalidYamlException(
            problem(line(tuple.getKeyNode()), path, "the name of a field must be text"));
      }
      String field = SourceDocument.child(path, key.getValue());
      Integer first = seen.putIfAbsent(key.getValue(), line(key));
      if (first != null) {
        throw new InvalidYamlException(
            problem(line(key), field, "stands twice, first in line " + first + ": keep one"));
      }
      lines.put(field, line(key));
      fields.put(key.getValue(), value(tuple.getValueNode(), field, around));
    }
    mapping.getValue().stream()
        .filter(YamlSource::isMerge)
        .forEach(tuple -> merge(tuple.getValueNode(), path, around, fields));
    return fields;
  }

  /** A merge key ({@code <<}): its fields count unless the mapping has its own. */
  private void merge(Node merged, String path, Set<Node> around, Map<String, Object> fields) {
    if (merged instanceof MappingNode) {
      ((Map<?, ?>) value(merged, path, around))
          .forEach((name, value) -> fields.putIfAbsent((String) name, value));
    } else if (merged instanceof SequenceNode several) {
      several.getValue().forEach(one -> merge(one, path, around, fields));
    } else {
      throw new InvalidYamlException(
          problem(line(merged), path, "a merge key (<<) takes a mapping or a list of them"));
    }
  }

  private static boolean isMerge(NodeTuple tuple) {
    return Tag.MERGE.equals(tuple.getKeyNode().getTag());
  }

  private static int line(Node node) {
    return node.getStartMark().getLine() + 1;
  }

  private DocumentProblem problem(int line, String field, String message) {
    return new DocumentProblem(source, number, line, field, message);
  }

  private static String syntaxError(MarkedYAMLException e) {
    if (e.getProblem() != null && e.getProblem().contains("\\t(TAB)")) {
      return "a tab where YAML allows only spaces: indent with spaces";
    }
    String context = e.getContext() == null ? "" : e.getContext() + ": ";
    return "not YAML: " + context + e.getProblem();
  }

  private static final class InvalidYamlException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient DocumentProblem problem;

    InvalidYamlException(DocumentProblem problem) {
      super(problem.toString());
      this.problem = problem;
    }
  }
}
