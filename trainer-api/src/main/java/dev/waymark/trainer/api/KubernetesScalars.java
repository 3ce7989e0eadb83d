package dev.waymark.trainer.api;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * What an unquoted YAML word means to Kubernetes, that is, to sigs.k8s.io/yaml on top of go-yaml
 * v2: YAML 1.1, but without its dates and its numbers to base 60.
 */
final class KubernetesScalars extends Resolver {

  private static final Pattern BOOLEAN =
      Pattern.compile("yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF");
  private static final Pattern WHOLE =
      Pattern.compile("[-+]?(0|[1-9][0-9_]*|0o?[0-7_]+|0x[0-9a-fA-F_]+|0b[01_]+)");
  private static final Pattern DECIMAL =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
  private static final Pattern NOTHING = Pattern.compile("~|null|Null|NULL|");
  private static final Pattern MERGE_KEY = Pattern.compile("<<");

  @Override
  protected void addImplicitResolvers() {
    addImplicitResolver(Tag.BOOL, BOOLEAN, "yYnNtTfFoO");
    addImplicitResolver(Tag.INT, WHOLE, "-+0123456789");
    addImplicitResolver(Tag.FLOAT, DECIMAL, "-+0123456789.");
    addImplicitResolver(Tag.MERGE, MERGE_KEY, "<");
    addImplicitResolver(Tag.NULL, NOTHING, "~nN\0");
    addImplicitResolver(Tag.NULL, Pattern.compile("^$"), null);
  }

  /**
   * The JSON value of a scalar.
   *
   * @throws IllegalArgumentException for a tag that JSON has no value for
   */
  static Object valueOf(ScalarNode scalar) {
    String text = scalar.getValue();
    Tag tag = scalar.getTag();
    if (Tag.STR.equals(tag)) {
      return text;
    } else if (Tag.NULL.equals(tag)) {
      return null;
    } else if (Tag.BOOL.equals(tag) && BOOLEAN.matcher(text).matches()) {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "yes", "true", "on" -> true;
        default -> false;
      };
    } else if (Tag.INT.equals(tag) && WHOLE.matcher(text).matches()) {
      return whole(text);
    } else if (Tag.FLOAT.equals(tag) && DECIMAL.matcher(text).matches()) {
      return new BigDecimal(text);
    }
    throw new IllegalArgumentException(
        "\"" + text + "\" can't be read as " + tag.getValue() + ": leave the tag out");
  }

  private static Number whole(String text) {
    String digits = text.replace("_", "").replaceFirst("^[-+]", "");
    int radix = 10;
    if (digits.startsWith("0x")) {
      radix = 16;
    } else if (digits.startsWith("0b")) {
      radix = 2;
    } else if (digits.startsWith("0") && digits.length() > 1) {
      radix = 8;
    }
    BigInteger size = new BigInteger(digits.replaceFirst("^0[xbo]", ""), radix);
    BigInteger number = text.startsWith("-") ? size.negate() : size;
    return number.bitLength() < Integer.SIZE
        ? (Number) number.intValue()
        : number.bitLength() < Long.SIZE ? (Number) number.longValue() : number;
  }
}
