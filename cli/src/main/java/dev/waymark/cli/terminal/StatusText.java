package dev.waymark.cli.terminal;

import dev.waymark.cli.text.PrintableText;
import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/**
 * Says a status in the words of one terminal line.
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

  private static final int MOST_FIGURES = 4;
  private static final MathContext FOUR_DIGITS = new MathContext(4);

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

  /** Loss, learning rate and the first few other figures, each as {@code name value}. */
  String figures() {
    StringJoiner figures = new StringJoiner(", ");
    addFigure(figures, "loss", "loss");
    addFigure(figures, "lr", "learning_rate");
    for (String name : evaluators()) {
      addFigure(figures, name, name);
    }
    return figures.toString();
  }

  /** Everything, for a line of its own. */
  public String line() {
    return joined(percent(), state(), epochOrStep(), remaining(), figures());
  }

  /** What the bar itself does not show: as many whole parts as fit into so many characters. */
  String besideBar(int characters) {
    String text = "";
    for (String part : joined(state(), epochOrStep(), figures()).split(", ")) {
      String longer = joined(text, part);
      if (longer.length() > characters) {
        break;
      }
      text = longer;
    }
    return text;
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

  /**
   * Validation figures come first, for they are what people wait for; figures of accelerators only
   * belong on the page.
   */
  private List<String> evaluators() {
    List<String> validation = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (String name : metrics.keySet()) {
      if (name.startsWith("eval_")) {
        validation.add(name);
      } else if (!PLACED.contains(name) && !name.startsWith("gpu_") && !name.startsWith("npu_")) {
        others.add(name);
      }
    }
    validation.addAll(others);
    return validation.subList(0, Math.min(MOST_FIGURES, validation.size()));
  }

  private String count(String what, String current, String total) {
    String done = metrics.getOrDefault(current, "");
    String planned = metrics.getOrDefault(total, "");
    if (done.isEmpty()) {
      return "";
    }
    return what + " " + done + (planned.isEmpty() ? "" : "/" + planned);
  }

  private void addFigure(StringJoiner figures, String label, String name) {
    String value = metrics.getOrDefault(name, "");
    if (!value.isEmpty()) {
      figures.add(label + " " + rounded(value));
    }
  }

  /** Four significant digits; a value that is no number stays as it is. */
  private static String rounded(String value) {
    BigDecimal number;
    try {
      number = new BigDecimal(value).round(FOUR_DIGITS);
    } catch (NumberFormatException notANumber) {
      return value;
    }
    // Plain digits only where they are few: "1e999999999" has a billion of them.
    int digitsBeforePoint = number.precision() - number.scale();
    return digitsBeforePoint > -4 && digitsBeforePoint <= 9
        ? number.toPlainString()
        : number.toString();
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
