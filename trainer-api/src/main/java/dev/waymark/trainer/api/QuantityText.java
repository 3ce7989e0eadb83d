package dev.waymark.trainer.api;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a quantity, such as {@code 1.5Gi}, taken apart as Kubernetes' own code takes it. The
 * pattern of a CRD lets more through. Source: apimachinery 0.36, {@code resource/quantity.go}.
 *
 * @param negative whether there is a minus
 * @param whole digits before the point, without zeros at the beginning; {@code 0} where there are
 *     none
 * @param fraction digits behind the point, with all zeros; may be empty
 * @param suffix {@code Ki} to {@code Ei}, {@code n} to {@code E}, an exponent such as {@code e3},
 *     or empty
 */
public record QuantityText(boolean negative, String whole, String fraction, String suffix) {

  private static final Pattern QUANTITY =
      Pattern.compile(
          "([+-]?)(?=\\.?[0-9])0*((?:[1-9][0-9]*)?)(?:\\.([0-9]*))?"
              + "([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,18})?");

  /** Takes a text apart; empty for one that is no quantity. */
  public static Optional<QuantityText> parse(String text) {
    Matcher parts = QUANTITY.matcher(text);
    return parts.matches()
        ? Optional.of(
            new QuantityText(
                parts.group(1).equals("-"),
                parts.group(2).isEmpty() ? "0" : parts.group(2),
                orEmpty(parts.group(3)),
                orEmpty(parts.group(4))))
        : Optional.empty();
  }

  private static String orEmpty(String group) {
    return group == null ? "" : group;
  }
}
