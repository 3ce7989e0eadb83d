package dev.waymark.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourcePrinterTest {

  private final StringWriter out = new StringWriter();

  /**
   * What stands without quotes is what kubectl 1.36 takes for text: {@code kubectl create
   * --dry-run=server} was asked about each.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          y           | 'y'
          N           | 'N'
          yes         | 'yes'
          on          | 'on'
          0o17        | '0o17'
          0X1F        | '0X1F'
          0x1F        | '0x1F'
          1e-3        | '1e-3'
          .5          | '.5'
          1_000       | '1_000'
          1:30        | '1:30'
          2026-1-2    | '2026-1-2'
          2026-12-01T00:00:00Z | '2026-12-01T00:00:00Z'
          ~           | '~'
          8           | '8'
          16Gi        | 16Gi
          500m        | 500m
          -c          | -c
          --lr        | --lr
          -Xmx8g      | -Xmx8g
          app:1       | app:1
          yaml        | yaml
          """)
  void textIsTextToKubectlToo(String text, String written) {
    new ResourcePrinter(new PrintWriter(out, true), OutputFormat.YAML)
        .printText(Map.of("value", text));

    assertThat(out).hasToString("value: " + written + "\n");
  }

  @Test
  void theSecondIsADocumentOfItsOwn() {
    ResourcePrinter printer = new ResourcePrinter(new PrintWriter(out, true), OutputFormat.YAML);
    printer.printText(Map.of("a", 1));
    printer.printText(Map.of("a", 2));

    assertThat(out).hasToString("a: 1\n---\na: 2\n");
  }

  @Test
  void jsonIsOneAfterTheOther() {
    ResourcePrinter printer = new ResourcePrinter(new PrintWriter(out, true), OutputFormat.JSON);
    printer.printText(Map.of("a", 1));
    printer.printText(Map.of("a", 2));

    assertThat(out).hasToString("{\n  \"a\" : 1\n}\n{\n  \"a\" : 2\n}\n");
  }
}
