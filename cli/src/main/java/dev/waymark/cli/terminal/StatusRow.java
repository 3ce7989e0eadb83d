package dev.waymark.cli.terminal;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * A row of a terminal that stays right below whatever a program prints.
 *
 * <p>The cursor always rests where the program's next byte belongs, so a prompt, a half line or a
 * bar that the program draws with carriage returns look as they do without Waymark. All output of
 * the program has to pass through {@link #beside}, which takes the row away before each piece and
 * draws it again afterwards. Escape sequences: those of the VT100, which every terminal in use
 * knows. Safe for use by several threads.
 */
public final class StatusRow {

  private static final String SAVE = "\u001b7";
  private static final String RESTORE = "\u001b8";

  /** Index: one row down in the same column, scrolling when at the bottom. */
  private static final String DOWN_SCROLLING = "\u001bD";

  private static final String UP = "\u001b[A";
  private static final String DOWN = "\u001b[B";
  private static final String CLEAR_ROW = "\r\u001b[2K";

  private final PrintStream terminal;
  private String row = "";
  private boolean closed;

  public StatusRow(PrintStream terminal) {
    this.terminal = terminal;
  }

  /**
   * Draws a row in the place of the one before.
   *
   * @param text printable characters, fewer than the terminal has columns
   */
  public synchronized void draw(String text) {
    if (closed) {
      return;
    }
    row = text;
    drawRow();
  }

  /** A stream that writes to the given one, which shows on the same terminal. */
  public OutputStream beside(OutputStream target) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        pass(target, bytes, offset, length);
      }
    };
  }

  /** Takes the row away for good. */
  public synchronized void close() {
    clearRow();
    closed = true;
  }

  private synchronized void pass(OutputStream target, byte[] bytes, int offset, int length)
      throws IOException {
    clearRow();
    target.write(bytes, offset, length);
    target.flush();
    if (!closed) {
      drawRow();
    }
  }

  private void drawRow() {
    if (!row.isEmpty()) {
      terminal.print(DOWN_SCROLLING + UP + SAVE + DOWN + CLEAR_ROW + row + RESTORE);
      terminal.flush();
    }
  }

  private void clearRow() {
    if (!row.isEmpty() && !closed) {
      terminal.print(SAVE + DOWN + CLEAR_ROW + RESTORE);
      terminal.flush();
    }
  }
}
