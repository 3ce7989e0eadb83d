package dev.waymark.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jline.utils.Signals;

/**
 * What the process's terminal is like. Asks POSIX's {@code test} and {@code stty}, since Java 17
 * can't tell which of its streams is a terminal.
 */
public final class Terminal {

  private static final int USUAL_COLUMNS = 80;
  private static final int LEAST_COLUMNS = 20;

  private volatile int columns;

  private Terminal() {
    columns = askColumns();
  }

  /** The terminal that the process sits at; its width is asked again when it changes. */
  public static Terminal open() {
    Terminal terminal = new Terminal();
    Signals.register("WINCH", () -> terminal.columns = terminal.askColumns());
    return terminal;
  }

  /** Whether standard output shows on a terminal that can move its cursor. */
  public static boolean outputIsTerminal() {
    return isTerminal(1);
  }

  /**
   * Whether nobody reads standard output any more, as after {@code | head -1}. Known once something
   * was written there in vain, and flushed.
   */
  public static boolean outputIsClosed() {
    return System.out.checkError();
  }

  /** Whether standard error shows on a terminal that can move its cursor. */
  static boolean errorIsTerminal() {
    return isTerminal(2);
  }

  /** The character set that the user's locale gives to terminal and files. */
  public static Charset charset() {
    return Charset.forName(System.getProperty("native.encoding", StandardCharsets.US_ASCII.name()));
  }

  /** Width in characters. */
  public int columns() {
    return columns;
  }

  private static boolean isTerminal(int descriptor) {
    String kind = System.getenv().getOrDefault("TERM", "");
    if (kind.isEmpty() || kind.equals("dumb")) {
      return false;
    }
    try {
      Process test =
          new ProcessBuilder("test", "-t", Integer.toString(descriptor)).inheritIO().start();
      return ended(test) && test.exitValue() == 0;
    } catch (IOException noSuchCommand) {
      return false;
    }
  }

  private int askColumns() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File("/dev/tty"))
              .redirectError(Redirect.DISCARD)
              .start();
      String rowsAndColumns =
          new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
      int answer = Integer.parseInt(rowsAndColumns.substring(rowsAndColumns.indexOf(' ') + 1));
      return answer >= LEAST_COLUMNS ? answer : USUAL_COLUMNS;
    } catch (IOException | NumberFormatException unknown) {
      return USUAL_COLUMNS;
    }
  }

  private static boolean ended(Process process) {
    try {
      return process.waitFor(2, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
