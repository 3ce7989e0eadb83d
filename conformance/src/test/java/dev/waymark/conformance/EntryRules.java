package dev.waymark.conformance;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What an entry of {@code known-differences.yaml} must be.
 *
 * @param cases names of all cases
 * @param classification of the cases that are not plainly to match, by name
 * @param all the list that the entry is of
 * @param holdsValues whether {@code Class#method} is a test that takes its cases from the list
 */
record EntryRules(
    Set<String> cases,
    Map<String, Classified> classification,
    List<KnownDifference> all,
    Predicate<String> holdsValues) {

  /**
   * File, then what it says something about: {@code after-0: JobSet/demo.spec...}. The tools read
   * it as a glob, so {@code [[]} stands for a bracket; nothing else of a glob may be in it.
   */
  private static final Pattern PATH =
      Pattern.compile("(create: (objects|trainjobs) |after-[0-9]+: )[A-Za-z]([^*?\\[]|\\[\\[\\])*");

  private static final List<String> MAY_DIFFER = List.of("bug", "mixed");

  /**
   * What {@code classification.yaml} says of a case.
   *
   * @param type the class: match, bug, mixed, random or environment
   * @param id issues of upstream; null or a word where there is none
   */
  record Classified(String type, String id) {
    static final Classified TO_MATCH = new Classified("match", null);

    boolean mayDiffer() {
      return MAY_DIFFER.contains(type);
    }
  }

  /** Reads {@code classification.yaml}. */
  static Map<String, Classified> classification(Path file) {
    try {
      Map<String, Map<String, String>> entries =
          new ObjectMapper(new YAMLFactory()).readValue(file.toFile(), new TypeReference<>() {});
      return entries.entrySet().stream()
          .collect(
              Collectors.toMap(
                  Map.Entry::getKey,
                  it -> new Classified(it.getValue().get("class"), it.getValue().get("id"))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is wrong with an entry. */
  List<String> problems(KnownDifference entry) {
    List<String> problems = new ArrayList<>();
    String named = entry.goldenCase();
    if (named == null || !cases.contains(named)) {
      problems.add("case " + named + " does not exist; an entry names one case");
    } else {
      checkClass(entry, problems);
    }
    if (entry.path() == null || !PATH.matcher(entry.path()).matches()) {
      problems.add(
          "path '" + entry.path() + "' is not a file and one path in it, without wildcards");
    }
    if (entry.upstream() == null || entry.waymark() == null) {
      problems.add("a value is missing: upstream and waymark say what either has there");
    } else if (entry.upstream().equals(entry.waymark())) {
      problems.add("both values are " + entry.waymark());
    }
    if (entry.reason() == null || entry.reason().isBlank()) {
      problems.add("there is no reason");
    }
    if (entry.test() == null || !holdsValues.test(entry.test())) {
      problems.add(
          "test "
              + entry.test()
              + " does not hold the value; it is to be a Class#method that takes"
              + " its cases from KnownDifference.heldBy");
    }
    return problems;
  }

  /** A case of class bug or mixed may differ; one that is to match only by the bug of another. */
  private void checkClass(KnownDifference entry, List<String> problems) {
    Classified own = classification.getOrDefault(entry.goldenCase(), Classified.TO_MATCH);
    if (own.mayDiffer()) {
      if (entry.shows() != null) {
        problems.add("case " + entry.goldenCase() + " is of class " + own.type() + ": drop shows");
      }
    } else if (!own.type().equals("match") || entry.shows() == null) {
      problems.add(
          "case "
              + entry.goldenCase()
              + " is of class "
              + own.type()
              + "; only bug and mixed may differ");
    } else if (!isIssueOf(own, entry) && !isBugOfAnother(entry)) {
      problems.add(
          "shows "
              + entry.shows()
              + ": neither an issue that classification.yaml names for this case, nor a case of class"
              + " bug or mixed with an entry for the same reason");
    }
  }

  private static boolean isIssueOf(Classified own, KnownDifference entry) {
    return entry.shows().startsWith("#") && entry.shows().equals(own.id());
  }

  private boolean isBugOfAnother(KnownDifference entry) {
    return classification.getOrDefault(entry.shows(), Classified.TO_MATCH).mayDiffer()
        && all.stream()
            .anyMatch(
                other ->
                    entry.shows().equals(other.goldenCase())
                        && Objects.equals(entry.reason(), other.reason()));
  }
}
