package dev.waymark.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrintableTextTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # what                           | given                     | shown
          text of any language stays       | loss 0,5 é 日本語          | loss 0,5 é 日本語
          markup is text                   | <script>alert(1)</script> | <script>alert(1)</script>
          right-to-left text stays         | דיוק                      | דיוק
          emoji stay, joined ones too      | 🚀 👩‍🚀                     | 🚀 👩‍🚀
          NUL, BEL, escape and DEL go      | a\\u0000b\\u0007\\u001b[31mc\\u007f | ab[31mc
          C1 controls go                   | a\\u009b31mb               | a31mb
          breaks become spaces             | a\\u000ab\\u0009c\\u2028d\\u2029e     | a b c d e
          carriage returns go              | a\\u000db                      | ab
          bidi overrides and isolates go   | \\u202eevil\\u202c\\u2066x\\u2069\\u200f\\u061c | evilx
          invisible characters go          | a\\u200bb\\ufeffc\\u2060d\\u00ad | abcd
          tag characters go                | a\\udb40\\udc41b            | ab
          halves of surrogate pairs go     | a\\ud83dc\\ude80b           | acb
          """)
  void whatCouldActOnThePageIsTakenOut(String name, String text, String expected) {
    assertThat(PrintableText.of(unescaped(text), 600)).isEqualTo(expected);
  }

  private static String unescaped(String text) {
    return Pattern.compile("\\\\u(\\p{XDigit}{4})")
        .matcher(text)
        .replaceAll(m -> Character.toString((char) Integer.parseInt(m.group(1), 16)));
  }

  @Test
  void longTextIsCutBetweenCharacters() {
    assertThat(PrintableText.of("abcdef", 6)).isEqualTo("abcdef");
    assertThat(PrintableText.of("abcdef", 5)).isEqualTo("abcde…");
    assertThat(PrintableText.of("abcd🚀", 5)).isEqualTo("abcd…");
  }
}
