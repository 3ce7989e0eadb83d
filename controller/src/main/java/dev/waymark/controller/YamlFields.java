package dev.waymark.controller;

import java.io.StringReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A mapping of a YAML file, field by field and strictly: whoever has read what he knows calls
 * {@link #refuseOthers()}, and everything that is wrong goes to one place, with file, line and
 * path.
 */
final class YamlFields {

  /** A part of a Go duration. */
  private static final Pattern DURATION_PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|s|m|h)");

  private final String source;
  private final String path;

  /** Where the mapping is; null for that of the whole file. */
  private final Mark start;

  private final Map<String, Node> fields;
  private final Map<String, Mark> marks;
  private final Set<String> asked = new LinkedHashSet<>();
  private final Consumer<String> problems;

  private YamlFields(
      String source,
      String path,
      Mark start,
      Map<String, Node> fields,
      Map<String, Mark> marks,
      Consumer<String> problems) {
    this.source = source;
    this.path = path;
    this.start = start;
    this.fields = fields;
    this.marks = marks;
    this.problems = problems;
  }

  /** Reads the one document of a file; empty when there was a problem with all of it. */
  static Optional<YamlFields> parse(String source, String text, Consumer<String> problems) {
    Node root;
    try {
      LoaderOptions options = new LoaderOptions();
      options.setAllowDuplicateKeys(false);
      root = new Yaml(new SafeConstructor(options)).compose(new StringReader(text));
    } catch (MarkedYAMLException e) {
      problems.accept(place(source, e.getProblemMark()) + "is not YAML: " + e.getProblem());
      return Optional.empty();
    }
    if (!(root instanceof MappingNode mapping)) {
      problems.accept(
          source
              + ": must be a mapping with apiVersion "
              + ConfigurationReader.API_VERSION
              + (root == null ? ", but is empty" : ""));
      return Optional.empty();
    }
    return Optional.of(of(source, "", null, mapping, problems));
  }

  private static YamlFields of(
      String source, String path, Mark start, MappingNode mapping, Consumer<String> problems) {
    Map<String, Node> fields = new LinkedHashMap<>();
    Map<String, Mark> marks = new LinkedHashMap<>();
    YamlFields read = new YamlFields(source, path, start, fields, marks, problems);
    for (NodeTuple field : mapping.getValue()) {
      String name = field.getKeyNode() instanceof ScalarNode key ? key.getValue() : "?";
      Mark before = marks.put(name, field.getKeyNode().getStartMark());
      fields.put(name, field.getValueNode());
      if (before != null) {
        read.problem(name, "is there twice; the first is in line " + (before.getLine() + 1));
      }
    }
    return read;
  }

  /** Tells what is wrong with a field. */
  void problem(String field, String what) {
    problems.accept(place(source, marks.getOrDefault(field, start)) + pathOf(field) + " " + what);
  }

  private static String place(String source, Mark mark) {
    return source + (mark == null ? ": " : ":" + (mark.getLine() + 1) + ": ");
  }

  private String pathOf(String field) {
    return path.isEmpty() ? field : path + "." + field;
  }

  /** Refuses the fields that nobody has asked for. */
  void refuseOthers() {
    for (String name : fields.keySet()) {
      if (!asked.contains(name)) {
        problem(name, "is not a field of the configuration; " + known());
      }
    }
  }

  private String known() {
    return (path.isEmpty() ? "there is " : path + " has ") + String.join(", ", asked);
  }

  /** Names of all fields that are there. */
  Set<String> names() {
    return Set.copyOf(fields.keySet());
  }

  boolean has(String field) {
    return value(field) != null;
  }

  /** A mapping below; an empty one when it isn't there. */
  YamlFields child(String field) {
    Node node = value(field);
    Mark mark = marks.getOrDefault(field, start);
    if (node instanceof MappingNode mapping) {
      return of(source, pathOf(field), mark, mapping, problems);
    }
    if (node != null) {
      problem(field, "must be a mapping of fields");
    }
    return new YamlFields(source, pathOf(field), mark, Map.of(), Map.of(), problems);
  }

  Optional<String> text(String field) {
    return scalar(field, Set.of(Tag.STR), "must be text; put it in quotes");
  }

  List<String> texts(String field) {
    Node node = value(field);
    List<String> texts = new ArrayList<>();
    if (node instanceof SequenceNode list) {
      for (Node item : list.getValue()) {
        if (item instanceof ScalarNode scalar && scalar.getTag().equals(Tag.STR)) {
          texts.add(scalar.getValue());
        } else {
          problem(field, "must be a list of texts");
        }
      }
    } else if (node != null) {
      problem(field, "must be a list of texts");
    }
    return texts;
  }

  Optional<Boolean> flag(String field) {
    return scalar(field, Set.of(Tag.BOOL), "must be true or false")
        .map(text -> Set.of("true", "yes", "on").contains(text.toLowerCase(java.util.Locale.ROOT)));
  }

  OptionalLong number(String field, long least, long most) {
    Optional<String> text = scalar(field, Set.of(Tag.INT), "must be a whole number");
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    String range =
        most == Integer.MAX_VALUE
            ? "must be at least " + least
            : "must be " + least + " to " + most;
    try {
      long number = Long.parseLong(text.get());
      if (number >= least && number <= most) {
        return OptionalLong.of(number);
      }
    } catch (NumberFormatException e) {
      // Octal, hexadecimal or too long: not what anybody means here.
    }
    problem(field, range + ", not " + text.get());
    return OptionalLong.empty();
  }

  OptionalDouble decimal(String field, double least) {
    Optional<String> text = scalar(field, Set.of(Tag.INT, Tag.FLOAT), "must be a number");
    if (text.isEmpty()) {
      return OptionalDouble.empty();
    }
    try {
      double number = Double.parseDouble(text.get());
      if (number >= least && number < Double.POSITIVE_INFINITY) {
        return OptionalDouble.of(number);
      }
    } catch (NumberFormatException e) {
      // .inf, .nan and the like.
    }
    problem(field, "must be at least " + least + ", not " + text.get());
    return OptionalDouble.empty();
  }

  /** A duration as Go writes it: {@code 1m30s}. Never zero. */
  Optional<Duration> duration(String field) {
    Optional<String> text = text(field);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Duration duration = Duration.ZERO;
    Matcher part = DURATION_PART.matcher(text.get());
    int end = 0;
    while (part.find() && part.start() == end) {
      double nanos = Double.parseDouble(part.group(1)) * nanosIn(part.group(2));
      duration = duration.plusNanos(Math.round(nanos));
      end = part.end();
    }
    if (end != text.get().length() || duration.isZero()) {
      problem(field, "must be a duration such as 15s or 1m30s, not \"" + text.get() + "\"");
      return Optional.empty();
    }
    return Optional.of(duration);
  }

  private static double nanosIn(String unit) {
    return switch (unit) {
      case "ms" -> 1e6;
      case "s" -> 1e9;
      case "m" -> 60e9;
      default -> 3600e9;
    };
  }

  /** A mapping below as maps, lists and texts; quantities stay what was written. */
  Map<String, Object> map(String field) {
    if (value(field) instanceof MappingNode mapping) {
      return toMap(mapping);
    }
    problem(field, "must be a mapping of fields");
    return Map.of();
  }

  private static Map<String, Object> toMap(MappingNode mapping) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (NodeTuple field : mapping.getValue()) {
      if (field.getKeyNode() instanceof ScalarNode key) {
        map.put(key.getValue(), toValue(field.getValueNode()));
      }
    }
    return map;
  }

  private static Object toValue(Node node) {
    if (node instanceof MappingNode mapping) {
      return toMap(mapping);
    } else if (node instanceof SequenceNode list) {
      return list.getValue().stream().map(YamlFields::toValue).toList();
    }
    return ((ScalarNode) node).getValue();
  }

  private Optional<String> scalar(String field, Set<Tag> tags, String otherwise) {
    Node node = value(field);
    if (node == null) {
      return Optional.empty();
    }
    if (node instanceof ScalarNode scalar && tags.contains(scalar.getTag())) {
      return Optional.of(scalar.getValue());
    }
    problem(field, otherwise);
    return Optional.empty();
  }

  /** The field's value; null when it isn't there, or is there without one. */
  private Node value(String field) {
    asked.add(field);
    Node node = fields.get(field);
    return node == null || node.getTag().equals(Tag.NULL) ? null : node;
  }
}
