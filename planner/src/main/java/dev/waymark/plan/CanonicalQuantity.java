package dev.waymark.plan;

import dev.waymark.trainer.api.QuantityText;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Quantities as Kubernetes' own code spells them once it has read them: {@code 2.5} is {@code
 * 2500m}, {@code 1024Mi} is {@code 1Gi}. Whoever compares what this project writes with what a Go
 * controller writes sees no difference. Source: apimachinery 0.36, {@code resource/quantity.go}.
 */
final class CanonicalQuantity {

  /** By the power of 1024, from 1. */
  private static final List<String> BINARY = List.of("Ki", "Mi", "Gi", "Ti", "Pi", "Ei");

  /** Exponents of ten. */
  private static final Map<String, Integer> DECIMAL = decimal();

  private static final BigInteger KIBI = BigInteger.valueOf(1024);
  private static final BigDecimal SMALLEST_BINARY = BigDecimal.valueOf(1024);
  private static final BigDecimal LARGEST_BINARY = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final int NANO = 9;

  /** An exponent this far below the digits before it is as good as any smaller one. */
  private static final int UNBOUNDED = 40;

  private static final int LARGEST_EXPONENT = 1_000_000_000;

  private enum Format {
    DECIMAL,
    EXPONENT,
    BINARY
  }

  /** The canonical spelling; text that is no quantity stays what it is. */
  static String of(String text) {
    return QuantityText.parse(text)
        .map(quantity -> isKept(quantity) ? text : spell(quantity))
        .orElse(text);
  }

  /**
   * What Go takes for canonical at a glance, and keeps as it was written: it doesn't see a plus,
   * zeros at the beginning, an {@code E} or a point, so {@code 1.500} stays.
   */
  private static boolean isKept(QuantityText quantity) {
    String digits = quantity.whole() + quantity.fraction();
    if (format(quantity) == Format.BINARY) {
      int mostDigits = 14 - 3 * power(quantity);
      return quantity.fraction().isEmpty()
          && digits.length() <= mostDigits
          && Long.parseLong(digits) % 8 != 0;
    }
    long scale = exponent(quantity) - quantity.fraction().length();
    return digits.length() <= 18
        && scale >= -NANO
        && scale % 3 == 0
        && !digits.endsWith("000")
        && digits.charAt(0) != '0';
  }

  private static String spell(QuantityText quantity) {
    BigDecimal amount = amount(quantity);
    if (amount.scale() > NANO) {
      amount = amount.setScale(NANO, RoundingMode.UP);
    }
    if (format(quantity) == Format.BINARY) {
      BigDecimal bounded = amount.min(LARGEST_BINARY).max(LARGEST_BINARY.negate());
      boolean whole = bounded.stripTrailingZeros().scale() <= 0;
      return whole && bounded.abs().compareTo(SMALLEST_BINARY) >= 0
          ? binary(bounded.toBigIntegerExact())
          : decimal(bounded, Format.DECIMAL);
    }
    return decimal(amount, format(quantity));
  }

  private static BigDecimal amount(QuantityText quantity) {
    int fraction = quantity.fraction().length();
    BigDecimal digits =
        new BigDecimal(new BigInteger(quantity.whole() + quantity.fraction()), fraction);
    BigDecimal signed = quantity.negative() ? digits.negate() : digits;
    if (format(quantity) == Format.BINARY) {
      return signed.multiply(new BigDecimal(KIBI.pow(power(quantity))));
    }
    // Bounded, because what is too small is rounded with all its digits, and scales are ints.
    long smallest = -(digits.precision() + (long) UNBOUNDED);
    long exponent = Math.max(exponent(quantity), smallest);
    return signed.scaleByPowerOfTen((int) Math.min(exponent, LARGEST_EXPONENT));
  }

  private static Format format(QuantityText quantity) {
    if (BINARY.contains(quantity.suffix())) {
      return Format.BINARY;
    }
    return DECIMAL.containsKey(quantity.suffix()) ? Format.DECIMAL : Format.EXPONENT;
  }

  private static int power(QuantityText quantity) {
    return BINARY.indexOf(quantity.suffix()) + 1;
  }

  private static long exponent(QuantityText quantity) {
    Integer known = DECIMAL.get(quantity.suffix());
    return known == null ? Long.parseLong(quantity.suffix().substring(1)) : known;
  }

  private static String binary(BigInteger amount) {
    int power = 0;
    BigInteger rest = amount;
    while (power < BINARY.size() && rest.mod(KIBI).signum() == 0) {
      rest = rest.divide(KIBI);
      power++;
    }
    return power == 0 ? rest.toString() : rest + BINARY.get(power - 1);
  }

  /** The largest power of a thousand that leaves a whole number. */
  private static String decimal(BigDecimal amount, Format format) {
    if (amount.signum() == 0) {
      return "0";
    }
    int exponent = 3 * Math.floorDiv(-amount.stripTrailingZeros().scale(), 3);
    BigInteger rest = amount.scaleByPowerOfTen(-exponent).toBigIntegerExact();
    if (format == Format.EXPONENT) {
      return exponent == 0 ? rest.toString() : rest + "e" + exponent;
    }
    return DECIMAL.entrySet().stream()
        .filter(suffix -> suffix.getValue() == exponent)
        .findFirst()
        .map(suffix -> rest + suffix.getKey())
        .orElseGet(() -> amount.toBigIntegerExact().toString());
  }

  private static Map<String, Integer> decimal() {
    Map<String, Integer> suffixes = new LinkedHashMap<>();
    suffixes.put("n", -9);
    suffixes.put("u", -6);
    suffixes.put("m", -3);
    suffixes.put("", 0);
    suffixes.put("k", 3);
    suffixes.put("M", 6);
    suffixes.put("G", 9);
    suffixes.put("T", 12);
    suffixes.put("P", 15);
    suffixes.put("E", 18);
    return suffixes;
  }

  private CanonicalQuantity() {}
}
