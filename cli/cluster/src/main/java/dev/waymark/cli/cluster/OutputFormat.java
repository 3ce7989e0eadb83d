package dev.waymark.cli.cluster;

import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How a command prints what it is asked for. */
enum OutputFormat {
  /** For people. */
  TABLE,
  /** The objects as the cluster keeps them. */
  JSON,
  /** The objects as the cluster keeps them. */
  YAML,
  /** Kind and name, a line each, as kubectl takes them. */
  NAME;

  static final String LABEL = "table|json|yaml|name";

  /** As people write it; a shell offers it so, too. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  static final class Converter implements ITypeConverter<OutputFormat> {
    @Override
    public OutputFormat convert(String text) {
      return Arrays.stream(values())
          .filter(it -> it.toString().equals(text))
          .findFirst()
          .orElseThrow(() -> new TypeConversionException("\"" + text + "\" is none of " + LABEL));
    }
  }
}
