package dev.waymark.cli.terminal;

import dev.waymark.trainer.api.TrainerStatus;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;

/**
 * Where a run is shown: as a row below the program's output when standard error is a terminal, else
 * as plain lines on standard error. Safe for use by several threads.
 */
public final class Screen implements ProgressDisplay {

  private final PrintStream log;
  private final ProgressDisplay display;
  private final StatusRow outRow;
  private final StatusRow errRow;

  private Screen(PrintStream log, ProgressDisplay display, StatusRow outRow, StatusRow errRow) {
    this.log = log;
    this.display = display;
    this.outRow = outRow;
    this.errRow = errRow;
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
    StatusRow row = new StatusRow(plain);
    Terminal terminal = Terminal.open();
    return new Screen(
        new PrintStream(row.beside(err), true, Terminal.charset()),
        new ProgressRow(row, taskName, terminal::columns, Terminal.charset()),
        Terminal.outputIsTerminal() ? row : null,
        row);
  }

  /** Says a line to the user. */
  public void say(String line) {
    log.println("[waymark] " + line);
  }

  @Override
  public void show(TrainerStatus status) {
    display.show(status);
  }

  /** The row that standard output has to pass by, or null. */
  public StatusRow outRow() {
    return outRow;
  }

  /** The row that standard error has to pass by, or null. */
  public StatusRow errRow() {
    return errRow;
  }

  /** Takes the row away. Lines may still be said. */
  @Override
  public void close() {
    display.close();
  }
}
