package dev.waymark.cli.terminal;

import dev.waymark.trainer.api.TrainerStatus;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;

/**
 * Where a run is shown: as rows below the program's output when standard error is a terminal, else
 * as plain lines on standard error. Safe for use by several threads.
 */
public final class Screen implements ProgressDisplay {

  private final PrintStream log;
  private final ProgressDisplay display;
  private final StatusRows outRows;
  private final StatusRows errRows;

  private Screen(PrintStream log, ProgressDisplay display, StatusRows outRows, StatusRows errRows) {
    this.log = log;
    this.display = display;
    this.outRows = outRows;
    this.errRows = errRows;
  }

  /**
   * The screen that this process has.
   *
   * @param taskName what stands before the bar
   */
  public static Screen open(String taskName) {
    FileOutputStream err = new FileOutputStream(FileDescriptor.err);
    PrintStream plain = new PrintStream(err, true, Terminal.charset());
    if (!Terminal.errorIsTerminal()) {
      return new Screen(plain, new PlainLines(plain), null, null);
    }
    StatusRows rows = new StatusRows(plain);
    Terminal terminal = Terminal.open();
    return new Screen(
        new PrintStream(rows.beside(err), true, Terminal.charset()),
        new ProgressRows(rows, taskName, terminal::columns, Terminal.charset()),
        Terminal.outputIsTerminal() ? rows : null,
        rows);
  }

  /** Says a line to the user. */
  public void say(String line) {
    log.println("[waymark] " + line);
  }

  @Override
  public void show(TrainerStatus status) {
    display.show(status);
  }

  /** The rows that standard output has to pass by, or null. */
  public StatusRows outRows() {
    return outRows;
  }

  /** The rows that standard error has to pass by, or null. */
  public StatusRows errRows() {
    return errRows;
  }

  /** Takes the rows away. Lines may still be said. */
  @Override
  public void close() {
    display.close();
  }
}
