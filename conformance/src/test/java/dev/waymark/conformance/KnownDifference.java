package dev.waymark.conformance;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** An entry of {@code known-differences.yaml}: one difference on purpose, and what proves it. */
record KnownDifference(
    @JsonProperty("case") String goldenCase,
    @JsonProperty("path") String path,
    @JsonProperty("reason") String reason,
    @JsonProperty("test") String test) {

  /**
   * File, then what it says something about: {@code after-0: JobSet/demo.spec...}. The tools read
   * it as a glob, so {@code [[]} stands for a bracket; nothing else of a glob may be in it.
   */
  private static final Pattern PATH =
      Pattern.compile("(create: (objects|trainjobs) |after-[0-9]+: )[A-Za-z]([^*?\\[]|\\[\\[\\])*");

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  /** Reads the file; keys that no entry has are an error. */
  static List<KnownDifference> readAll(Path file) {
    try {
      return List.of(YAML.readValue(file.toFile(), KnownDifference[].class));
    } catch (IOException e) {
      throw new UncheckedIOException(file + ": " + e.getMessage(), e);
    }
  }

  /** The class of each case that is not plainly to match, by its name. */
  static Map<String, String> classes(Path classification) {
    try {
      Map<String, Map<String, String>> cases =
          YAML.readValue(classification.toFile(), new TypeReference<>() {});
      Map<String, String> classes = new TreeMap<>();
      cases.forEach((name, entry) -> classes.put(name, entry.get("class")));
      return classes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What is wrong with this entry.
   *
   * @param caseExists whether a case has this name
   * @param classes the class of each case that is not plainly to match
   * @param testExists whether {@code Class#method} is a test
   */
  List<String> problems(
      Predicate<String> caseExists, Map<String, String> classes, Predicate<String> testExists) {
    List<String> problems = new ArrayList<>();
    if (goldenCase == null || !caseExists.test(goldenCase)) {
      problems.add("case " + goldenCase + " does not exist; an entry names one case");
    } else {
      String its = classes.getOrDefault(goldenCase, "match");
      if (!List.of("bug", "mixed").contains(its)) {
        problems.add(
            "case " + goldenCase + " is of class " + its + "; only bug and mixed may differ");
      }
    }
    if (path == null || !PATH.matcher(path).matches()) {
      problems.add("path '" + path + "' is not a file and one path in it, without wildcards");
    }
    if (reason == null || reason.isBlank()) {
      problems.add("there is no reason");
    }
    if (test == null || !testExists.test(test)) {
      problems.add("test " + test + " does not exist; it is to be Class#method");
    }
    return problems;
  }
}
