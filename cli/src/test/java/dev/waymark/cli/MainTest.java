package dev.waymark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class MainTest {

  @AfterEach
  void forget() {
    System.clearProperty("waymark.agent");
    System.clearProperty("waymark.commands");
  }

  @Test
  void knowsTheNamesOfCommandsThatAreElsewhere() {
    System.setProperty("waymark.commands", "list run submit ");
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine waymark =
        Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));

    assertThat(waymark.execute("--help")).isZero();
    assertThat(waymark.execute("lst")).isEqualTo(2);
    assertThat(out.toString()).containsSubsequence("run", "For clusters, built", "list, submit");
    assertThat(err.toString()).contains("There is no command lst; there are run, list, submit");
  }

  /** Each of them takes its time to be looked at. */
  @Test
  void looksAtTheCommandThatIsNamedAlone() {
    assertThat(Main.commandLine("run", "--help").getSubcommands()).containsOnlyKeys("run");
    assertThat(Main.commandLine("completion").getSubcommands()).containsKey("run");
    assertThat(Main.commandLine("--help").getSubcommands()).containsKey("run");
    assertThat(Main.commandLine().getSubcommands()).containsKey("run");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          list -A                            | list -A
          -n a list -A                       | list -n a -A
          --context=c --kubeconfig f get x   | get --context=c --kubeconfig f x
          --namespace a run -- java -n b     | run --namespace a -- java -n b
          run -- java -n b                   | run -- java -n b
          -n                                 | -n
          -n a                               | -n a
          --help                             | --help
          """)
  void whichClusterMayBeSaidBeforeTheCommand(String said, String understood) {
    assertThat(Main.commandFirst(said.split(" "))).containsExactly(understood.split(" "));
  }

  @Test
  void nothingIsNothing() {
    assertThat(Main.commandFirst()).isEmpty();
  }

  @Test
  void saysADefectInOneLine() {
    System.setProperty("waymark.agent", "no path\0"); // which nobody expects of a launcher
    StringWriter err = new StringWriter();

    int exitCode =
        Main.commandLine()
            .setErr(new PrintWriter(err, true))
            .execute("run", "--no-page", "--", "true");

    assertThat(exitCode).isEqualTo(125);
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .startsWith("waymark: Waymark itself failed: java.nio.file.InvalidPathException: ")
        .endsWith("(WAYMARK_LOG=debug says where)");
  }
}
