package dev.waymark.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Looks at the rows on a terminal of a few lines, which knows the sequences that they use. */
class StatusRowsTest {

  private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
  private final StatusRows rows = new StatusRows(new PrintStream(screen, true, UTF_8));
  private final OutputStream program = rows.beside(screen);

  @Test
  void staysBelowWhatTheProgramPrints() throws IOException {
    rows.draw(List.of("10%"));
    write("one\n");
    write("tw");
    rows.draw(List.of("20%"));

    assertThat(seen()).containsExactly("one", "tw", "20%");

    write("o\n");

    assertThat(seen()).containsExactly("one", "two", "", "20%");
  }

  @Test
  void leavesACarriageReturnBarOfTheProgramAlone() throws IOException {
    rows.draw(List.of("a long row of Waymark"));
    write("step 1\r");
    rows.draw(List.of("short"));
    write("step 2\r");
    write("step 3\n");

    assertThat(seen()).containsExactly("step 3", "", "short");
  }

  @Test
  void severalRowsStayInTheirOrder() throws IOException {
    rows.draw(List.of("bar", "figures"));
    write("one\n");
    write("tw");

    assertThat(seen()).containsExactly("one", "tw", "bar", "figures");

    rows.draw(List.of("bar alone"));

    assertThat(seen()).containsExactly("one", "tw", "bar alone");

    rows.draw(List.of("bar", "figures"));
    write("o\nthree\nfour\n");

    assertThat(seen()).containsExactly("three", "four", "", "bar", "figures");
  }

  @Test
  void scrollsAtTheBottom() throws IOException {
    rows.draw(List.of("bar"));
    for (int i = 1; i <= 9; i++) {
      write(i + "\n");
    }

    assertThat(seen()).containsExactly("7", "8", "9", "", "bar");
  }

  @Test
  void isGoneWhenClosed() throws IOException {
    rows.draw(List.of("bar"));
    write("one\n");
    rows.close();
    rows.draw(List.of("never"));
    write("two\n");

    assertThat(seen()).containsExactly("one", "two");
  }

  @Test
  void printsNothingOfItsOwnUntilDrawn() throws IOException {
    write("as it is\n");

    assertThat(screen.toString(UTF_8)).isEqualTo("as it is\n");
  }

  private void write(String text) throws IOException {
    program.write(text.getBytes(UTF_8));
  }

  private List<String> seen() {
    return new SmallTerminal(5, 40).show(screen.toString(UTF_8));
  }
}
