package dev.waymark.plan;

import dev.waymark.conformance.ConformanceFolder;
import dev.waymark.conformance.KnownDifference;
import dev.waymark.plan.TreeDifferences.Difference;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Where Waymark may differ from upstream: the project's list, and what upstream leaves to chance.
 */
final class KnownDifferences {

  private static final List<KnownDifference> KNOWN = KnownDifference.all();

  private static final List<Map<String, String>> NOT_COMPARED = read("not-compared.yaml");

  /** Whether a difference is in the list with its values, or one that nobody compares. */
  static boolean contain(String goldenCase, Difference difference) {
    return named(goldenCase, difference.path())
            .anyMatch(
                entry ->
                    entry.upstream().equals(difference.expected())
                        && isRendered(entry.waymark(), difference.actual()))
        || NOT_COMPARED.stream()
            .anyMatch(
                entry ->
                    matches(entry.getOrDefault("case", "*"), goldenCase)
                        && matches(entry.get("path"), difference.path()));
  }

  /** An object of a cluster has a status too, and empty fields. */
  private static boolean isRendered(Object listed, Object rendered) {
    if (listed instanceof Map<?, ?> object) {
      Map<Object, Object> made = new HashMap<>(object);
      made.remove("status");
      return TreeDifferences.between("", made, rendered).isEmpty();
    }
    return listed.equals(rendered);
  }

  /** The entry for the answer to a request, if that differs. */
  static Optional<KnownDifference> ofAnswer(String goldenCase, String path) {
    return named(goldenCase, path).findFirst();
  }

  private static Stream<KnownDifference> named(String goldenCase, String path) {
    return KNOWN.stream()
        .filter(entry -> entry.goldenCase().equals(goldenCase) && entry.plainPath().equals(path));
  }

  /** As Python's fnmatch does. */
  private static boolean matches(String glob, String text) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < glob.length(); i++) {
      char c = glob.charAt(i);
      int end = glob.indexOf(']', i + 2);
      if (c == '[' && end > 0) {
        regex.append(Pattern.quote(glob.substring(i + 1, end)));
        i = end;
      } else {
        regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
      }
    }
    return Pattern.matches(regex.toString(), text);
  }

  private static List<Map<String, String>> read(String file) {
    try {
      String text = Files.readString(ConformanceFolder.PATH.resolve(file));
      return new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private KnownDifferences() {}
}
