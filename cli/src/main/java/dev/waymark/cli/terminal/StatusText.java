package dev.waymark.cli.terminal;

import dev.waymark.cli.text.PrintableText;
import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/**
 * Says a status in words, for a line of a terminal or a part of one.
 *
 * <p>Names and values come from a program that nobody vouches for. What could move the cursor,
 * colour the screen or turn the direction of writing is taken out of them.
 */
public final class StatusText {

  /** The endpoint takes no longer ones; in UTF-16 units. */
  private static final int LONGEST = 2 * 64;

  /** Told in their own place, so not once more among the others. */
  private static final Set<String> PLACED =
      Set.of(
          "state",
          "run",
          "loss",
          "learning_rate",
          "current_step",
          "total_steps",
          "current_epoch",
          "total_epochs");

  private static final int MOST_EVALUATORS = 4;

  /** Kinds of accelerators, as the names of their metrics begin. */
  private static final List<String> ACCELERATORS = List.of("gpu", "npu");

  /** What people wait for comes first: accuracy before other figures, and the validation's. */
  private static final Comparator<String> BY_INTEREST =
      Comparator.comparing((String evaluator) -> !evaluator.contains("accuracy"))
          .thenComparing(evaluator -> !evaluator.startsWith("eval_"));

  private static final MathContext FOUR_DIGITS = new MathContext(4);
  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  private final TrainerStatus status;
  private final Map<String, String> metrics = new LinkedHashMap<>();

  public StatusText(TrainerStatus status) {
    this.status = status;
    if (status.metrics() != null) {
      for (Metric metric : status.metrics()) {
        metrics.put(
            PrintableText.of(metric.name(), LONGEST), PrintableText.of(metric.value(), LONGEST));
      }
    }
  }

  /** {@code running}, {@code completed}, ...; "" when the program doesn't say. */
  public String state() {
    return metrics.getOrDefault("state", "");
  }

  /** {@code epoch 3/10}, without the part of an epoch that is under way; "" when unknown. */
  public String epoch() {
    return count("epoch", "current_epoch", "total_epochs").replaceAll("\\.\\d+", "");
  }

  /** {@code step 120/2400}; "" when unknown. */
  String step() {
    return count("step", "current_step", "total_steps");
  }

  /** The epoch, or the step where neither percent nor epoch is known; "" when none is. */
  String epochOrStep() {
    return percent().isEmpty() && epoch().isEmpty() ? step() : epoch();
  }

  /** {@code 42%}; "" when unknown. */
  public String percent() {
    Integer percent = status.progressPercentage();
    return percent == null ? "" : percent + "%";
  }

  /** {@code 1:05 left}; "" when unknown. */
  public String remaining() {
    Integer seconds = status.estimatedRemainingSeconds();
    return seconds == null ? "" : clock(Duration.ofSeconds(seconds)) + " left";
  }

  /** Loss, learning rate, a few evaluators and accelerators, each as {@code name value}. */
  String figures() {
    return String.join(", ", listFigures());
  }

  /** As many of the figures as fit into so many columns. */
  String figures(int columns) {
    return fitting(listFigures(), columns);
  }

  /** Everything, for a line of its own. */
  public String line() {
    return joined(percent(), state(), epochOrStep(), remaining(), figures());
  }

  /**
   * What a bar doesn't show beside it, if it fits into so many columns. That a training runs is
   * what a bar shows.
   */
  String besideBar(int columns) {
    return fitting(List.of(state().equals("running") ? "" : state(), epochOrStep()), columns);
  }

  /** {@code 7 s}, {@code 1:05} or {@code 2:01:05}. */
  public static String clock(Duration duration) {
    if (duration.toMinutes() == 0) {
      return duration.toSeconds() + " s";
    }
    String seconds = twoDigits(duration.toSecondsPart());
    return duration.toHours() == 0
        ? duration.toMinutes() + ":" + seconds
        : duration.toHours() + ":" + twoDigits(duration.toMinutesPart()) + ":" + seconds;
  }

  private List<String> listFigures() {
    List<String> figures = new ArrayList<>();
    addFigure(figures, "loss", "loss");
    addFigure(figures, "lr", "learning_rate");
    metrics.keySet().stream()
        .filter(name -> !PLACED.contains(name) && !isOfAccelerator(name))
        .sorted(BY_INTEREST)
        .limit(MOST_EVALUATORS)
        .forEach(name -> addFigure(figures, name, name));
    ACCELERATORS.forEach(kind -> addUtilization(figures, kind));
    return figures;
  }

  private static boolean isOfAccelerator(String name) {
    return ACCELERATORS.stream().anyMatch(kind -> name.startsWith(kind + "_"));
  }

  /** {@code gpu 97%}; of several devices the mean, {@code 8 gpus 95%}. */
  private void addUtilization(List<String> figures, String kind) {
    Pattern names = Pattern.compile(kind + "_\\d+_utilization");
    List<BigDecimal> percents =
        metrics.entrySet().stream()
            .filter(metric -> names.matcher(metric.getKey()).matches())
            .flatMap(metric -> number(metric.getValue()).stream())
            .filter(StatusText::isPercent)
            .toList();
    if (!percents.isEmpty()) {
      double mean = percents.stream().mapToDouble(BigDecimal::doubleValue).average().orElseThrow();
      String devices = percents.size() == 1 ? kind : percents.size() + " " + kind + "s";
      figures.add(devices + " " + Math.round(mean) + "%");
    }
  }

  private static boolean isPercent(BigDecimal number) {
    return number.signum() >= 0 && number.compareTo(HUNDRED) <= 0;
  }

  private String count(String what, String current, String total) {
    String done = metrics.getOrDefault(current, "");
    String planned = metrics.getOrDefault(total, "");
    if (done.isEmpty()) {
      return "";
    }
    return what + " " + done + (planned.isEmpty() ? "" : "/" + planned);
  }

  private void addFigure(List<String> figures, String label, String name) {
    String value = metrics.getOrDefault(name, "");
    if (!value.isEmpty()) {
      figures.add(label + " " + rounded(value));
    }
  }

  /** Four significant digits; a value that is no number stays as it is. */
  private static String rounded(String value) {
    return number(value).map(number -> plain(number.round(FOUR_DIGITS))).orElse(value);
  }

  private static Optional<BigDecimal> number(String value) {
    try {
      return Optional.of(new BigDecimal(value));
    } catch (NumberFormatException notANumber) {
      return Optional.empty();
    }
  }

  /** Plain digits only where they are few: "1e999999999" has a billion of them. */
  private static String plain(BigDecimal number) {
    int digitsBeforePoint = number.precision() - number.scale();
    return digitsBeforePoint > -4 && digitsBeforePoint <= 9
        ? number.toPlainString()
        : number.toString();
  }

  /** The parts that fit, whole and in their order. */
  private static String fitting(List<String> parts, int columns) {
    String text = "";
    for (String part : parts) {
      String longer = joined(text, part);
      if (TextWidth.of(longer) <= columns) {
        text = longer;
      }
    }
    return text;
  }

  static String joined(String... parts) {
    StringJoiner joined = new StringJoiner(", ");
    for (String part : parts) {
      if (!part.isEmpty()) {
        joined.add(part);
      }
    }
    return joined.toString();
  }

  private static String twoDigits(int number) {
    return number < 10 ? "0" + number : Integer.toString(number);
  }
}
