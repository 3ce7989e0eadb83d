package dev.waymark.cli.terminal;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;

/**
 * Rows of a terminal that stay right below whatever a program prints.
 *
 * <p>The cursor always rests where the program's next byte belongs, so a prompt, a half line or a
 * bar that the program draws with carriage returns look as they do without Waymark. All output of
 * the program has to pass through {@link #beside}, which takes the rows away before each piece and
 * draws them again afterwards. Escape sequences: those of the VT100, which every terminal in use
 * knows. Safe for use by several threads.
 */
public final class StatusRows {

  private static final String SAVE = "\u001b7";
  private static final String RESTORE = "\u001b8";

  /** Index: one row down in the same column, scrolling when at the bottom. */
  private static final String DOWN_SCROLLING = "\u001bD";

  private static final String UP = "\u001b[A";
  private static final String DOWN = "\u001b[B";
  private static final String CLEAR_ROW = "\r\u001b[2K";

  private final PrintStream terminal;
  private List<String> rows = List.of();
  private boolean closed;

  public StatusRows(PrintStream terminal) {
    this.terminal = terminal;
  }

  /**
   * Draws rows in the place of those before.
   *
   * @param newRows from the top, fewer than the terminal has lines; in each printable characters,
   *     fewer than the terminal has columns
   */
  public synchronized void draw(List<String> newRows) {
    if (closed) {
      return;
    }
    if (newRows.size() < rows.size()) {
      clearRows();
    }
    rows = List.copyOf(newRows);
    drawRows();
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

  /** Takes the rows away for good. */
  public synchronized void close() {
    clearRows();
    closed = true;
  }

  private synchronized void pass(OutputStream target, byte[] bytes, int offset, int length)
      throws IOException {
    clearRows();
    target.write(bytes, offset, length);
    target.flush();
    if (!closed) {
      drawRows();
    }
  }

  private void drawRows() {
    int count = rows.size();
    if (count == 0) {
      return;
    }
    // At once, so that nobody sees a half of it.
    StringBuilder drawing = new StringBuilder();
    drawing.append(DOWN_SCROLLING.repeat(count)).append(UP.repeat(count)).append(SAVE);
    for (String row : rows) {
      drawing.append(DOWN).append(CLEAR_ROW).append(row);
    }
    terminal.print(drawing.append(RESTORE).toString());
    terminal.flush();
  }

  private void clearRows() {
    if (!rows.isEmpty() && !closed) {
      terminal.print(SAVE + (DOWN + CLEAR_ROW).repeat(rows.size()) + RESTORE);
      terminal.flush();
    }
  }
}
