package dev.waymark.conformance;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * An entry of {@code known-differences.yaml}: one difference on purpose, with both values.
 *
 * @param goldenCase name of the case
 * @param path as the tools read it, a glob in which {@code [[]} stands for a bracket
 * @param upstream the value that upstream's controller left, as plain JSON; {@code <absent>} for
 *     none, {@code <object>} for a whole object
 * @param waymark the right value; {@code <absent>} for none
 * @param reason why it differs
 * @param test the test that holds the right value, as {@code Class#method}; it takes its cases from
 *     {@link #heldBy}
 * @param shows of a case that is to match all the same: the case whose bug it shows too, or the
 *     issue that classification.yaml names for it; else null
 */
public record KnownDifference(
    @JsonProperty("case") String goldenCase,
    @JsonProperty("path") String path,
    @JsonProperty("upstream") Object upstream,
    @JsonProperty("waymark") Object waymark,
    @JsonProperty("reason") String reason,
    @JsonProperty("test") String test,
    @JsonProperty("shows") String shows) {

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  /** Reads the project's list. */
  public static List<KnownDifference> all() {
    return readAll(ConformanceFolder.PATH.resolve("known-differences.yaml"));
  }

  /**
   * The entries whose right values a test holds, to be its cases.
   *
   * @param test {@code Class#method}
   * @throws IllegalArgumentException if no entry names it
   */
  public static List<KnownDifference> heldBy(String test) {
    List<KnownDifference> held = all().stream().filter(it -> test.equals(it.test())).toList();
    if (held.isEmpty()) {
      throw new IllegalArgumentException("no known difference names the test " + test);
    }
    return held;
  }

  /** Reads such a file; keys that no entry has are an error. */
  static List<KnownDifference> readAll(Path file) {
    try {
      return List.of(YAML.readValue(file.toFile(), KnownDifference[].class));
    } catch (IOException e) {
      throw new UncheckedIOException(file + ": " + e.getMessage(), e);
    }
  }

  /** The path as {@code compare.py} prints it. */
  public String plainPath() {
    return path.replace("[[]", "[");
  }

  /** Case and path, for the titles of parameterised tests. */
  @Override
  public String toString() {
    return goldenCase + ", " + plainPath();
  }
}
