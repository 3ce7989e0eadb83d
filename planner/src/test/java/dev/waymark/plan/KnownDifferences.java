package dev.waymark.plan;

import dev.waymark.conformance.ConformanceFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Where Waymark may differ from upstream: the project's list, and what upstream leaves to chance.
 */
final class KnownDifferences {

  private static final List<Map<String, String>> ENTRIES =
      Stream.of("known-differences.yaml", "not-compared.yaml")
          .map(KnownDifferences::read)
          .flatMap(List::stream)
          .toList();

  static boolean contain(String goldenCase, String path) {
    return ENTRIES.stream()
        .anyMatch(
            entry ->
                matches(entry.getOrDefault("case", "*"), goldenCase)
                    && matches(entry.getOrDefault("path", "*"), path));
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
