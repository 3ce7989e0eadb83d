package dev.waymark.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes the tables of a docs page from the files under benchmarks/results.
 *
 * <p>A table stands between {@code <!-- results: NAME.json -->} and {@code <!-- end of results
 * -->}; what is between them is replaced, so a page can never say another number than its file.
 */
public final class ResultTables {

  private static final Pattern TABLE =
      Pattern.compile("(<!-- results: (\\S+) -->\n).*?(<!-- end of results -->)", Pattern.DOTALL);

  private ResultTables() {}

  /** Rewrites pages in place: arguments are the results' folder and the pages. */
  public static void main(String[] args) throws IOException {
    Path results = Path.of(args[0]);
    for (String page : List.of(args).subList(1, args.length)) {
      Path file = Path.of(page);
      Files.writeString(file, fill(Files.readString(file), results));
    }
  }

  /** The page with every table made from its file, or left empty as long as there is none. */
  static String fill(String page, Path results) {
    return TABLE
        .matcher(page)
        .replaceAll(
            match ->
                Matcher.quoteReplacement(
                    match.group(1) + tableOf(results.resolve(match.group(2))) + match.group(3)));
  }

  private static String tableOf(Path file) {
    return Files.exists(file) ? table(ResultFile.read(file)) : "Not measured yet.\n";
  }

  /**
   * One row a case, two columns a figure: median with range, or the only sample, and the ratio to
   * the first case where that has the figure.
   */
  static String table(ResultFile file) {
    Set<String> names = new LinkedHashSet<>();
    Set<String> figures = new LinkedHashSet<>();
    for (ResultFile.Series series : file.series()) {
      names.add(series.name());
      figures.add(series.figure());
    }
    String first = names.iterator().next();
    boolean compared = names.size() > 1 && file.paired();

    StringBuilder text = new StringBuilder();
    boolean means = file.statistic() == ResultFile.Statistic.MEAN;
    boolean single = file.series().stream().allMatch(series -> series.samples().size() == 1);
    text.append(file.title());
    text.append(
        single ? ". One run" : means ? ". Mean of n" : ". Median (smallest to largest of n)");
    if (compared) {
      text.append(means ? "; ratio of the means" : "; ratio: median of the pairs' ratios");
      text.append(" to the first row");
    }
    text.append(".\n\n");
    StringBuilder rule = new StringBuilder("| --- |");
    text.append("| |");
    for (String figure : figures) {
      text.append(' ').append(figure).append(" |");
      rule.append(" --- |");
      if (compared && find(file, first, figure).isPresent()) {
        text.append(" ratio |");
        rule.append(" --- |");
      }
    }
    text.append('\n').append(rule).append('\n');
    for (String name : names) {
      text.append("| ").append(name).append(" |");
      for (String figure : figures) {
        Optional<ResultFile.Series> series = find(file, name, figure);
        text.append(' ').append(series.map(one -> cell(one, means)).orElse("")).append(" |");
        Optional<ResultFile.Series> base = find(file, first, figure);
        if (compared && base.isPresent()) {
          text.append(' ');
          if (!name.equals(first) && series.isPresent()) {
            text.append(ratio(series.get(), base.get(), means));
          }
          text.append(" |");
        }
      }
      text.append('\n');
    }
    text.append(
        String.format(
            Locale.ROOT,
            "\n%s, commit %s, JDK %s, %s: `%s`\n",
            file.date(),
            file.commit(),
            file.jdk(),
            file.machine(),
            file.command()));
    return text.toString();
  }

  private static Optional<ResultFile.Series> find(ResultFile file, String name, String figure) {
    return file.series().stream()
        .filter(series -> series.name().equals(name) && series.figure().equals(figure))
        .findFirst();
  }

  private static String cell(ResultFile.Series series, boolean mean) {
    List<Double> sorted = series.samples().stream().sorted().toList();
    if (sorted.size() == 1) {
      return number(sorted.get(0)) + unit(series);
    }
    if (mean) {
      return String.format(
          Locale.ROOT, "%s%s (n=%d)", number(Samples.mean(sorted)), unit(series), sorted.size());
    }
    return String.format(
        Locale.ROOT,
        "%s%s (%s to %s, n=%d)",
        number(Samples.median(sorted)),
        unit(series),
        number(sorted.get(0)),
        number(sorted.get(sorted.size() - 1)),
        sorted.size());
  }

  private static String unit(ResultFile.Series series) {
    return series.unit().isEmpty() ? "" : " " + series.unit();
  }

  private static String ratio(ResultFile.Series series, ResultFile.Series base, boolean means) {
    double ratio =
        means
            ? Samples.mean(series.samples()) / Samples.mean(base.samples())
            : Samples.medianRatio(
                series.samples(), series.beside() == null ? base.samples() : series.beside());
    return String.format(Locale.ROOT, "%.3f", ratio);
  }

  /** Three significant digits without an exponent. */
  private static String number(double value) {
    double size = Math.abs(value);
    int decimals = size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
