package dev.waymark.plan;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Quantities as Kubernetes' own code spells them once it has read them: {@code 2.5} is {@code
 * 2500m}, {@code 1024Mi} is {@code 1Gi}. Whoever compares what this project writes with what a Go
 * controller writes sees no difference. Source: apimachinery 0.36, {@code resource/quantity.go}.
 */
final class CanonicalQuantity {

  private static final Pattern QUANTITY =
      Pattern.compile(
          "([+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+))([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?");

  private static final String[] BINARY = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  private static final Map<String, Integer> DECIMAL = decimal();
  private static final BigInteger KIBI = BigInteger.valueOf(1024);
  private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final int NANO = 9;

  /** An exponent this far beyond the digits before it is as good as any larger one. */
  private static final int UNBOUNDED = 40;

  private enum Format {
    DECIMAL,
    EXPONENT,
    BINARY
  }

  /** The canonical spelling; text that is no quantity stays what it is. */
  static String of(String text) {
    Matcher parts = QUANTITY.matcher(text);
    if (!parts.matches()) {
      return text;
    }
    String suffix = parts.group(2) == null ? "" : parts.group(2);
    BigDecimal amount =
        new BigDecimal(parts.group(1)).multiply(factor(suffix, text.length() + UNBOUNDED));
    amount = amount.setScale(Math.min(Math.max(amount.scale(), 0), NANO), RoundingMode.UP);
    return spell(amount.min(LARGEST).max(LARGEST.negate()), format(suffix));
  }

  private static Format format(String suffix) {
    if (suffix.endsWith("i")) {
      return Format.BINARY;
    }
    return isExponent(suffix) ? Format.EXPONENT : Format.DECIMAL;
  }

  private static BigDecimal factor(String suffix, int largestExponent) {
    if (suffix.endsWith("i")) {
      return new BigDecimal(KIBI.pow(Arrays.asList(BINARY).indexOf(suffix)));
    }
    return BigDecimal.ONE.scaleByPowerOfTen(
        isExponent(suffix) ? exponent(suffix, largestExponent) : DECIMAL.get(suffix));
  }

  /** Bounded, because all digits of the amount are written out on the way. */
  private static int exponent(String suffix, int largest) {
    BigInteger bound = BigInteger.valueOf(largest);
    return new BigInteger(suffix.substring(1)).min(bound).max(bound.negate()).intValue();
  }

  /** {@code E} alone is exa; with a number behind it an exponent. */
  private static boolean isExponent(String suffix) {
    return suffix.length() > 1 && Character.toLowerCase(suffix.charAt(0)) == 'e';
  }

  private static String spell(BigDecimal amount, Format format) {
    boolean small = amount.abs().compareTo(new BigDecimal(KIBI)) < 0;
    boolean whole = amount.stripTrailingZeros().scale() <= 0;
    if (format == Format.BINARY && !small && whole) {
      return binary(amount.toBigIntegerExact());
    }
    return decimal(amount, format);
  }

  private static String binary(BigInteger amount) {
    int power = 0;
    BigInteger rest = amount;
    while (power < BINARY.length - 1 && rest.mod(KIBI).signum() == 0) {
      rest = rest.divide(KIBI);
      power++;
    }
    return rest + BINARY[power];
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
