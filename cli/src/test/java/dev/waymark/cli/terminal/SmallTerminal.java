package dev.waymark.cli.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A VT100 as far as the status rows need one: newline, return, index, up, down, save, clear. */
public final class SmallTerminal {

  private final char[][] cells;
  private int line;
  private int column;
  private int savedLine;
  private int savedColumn;

  /** With blank lines; text that is longer than a line makes {@link #show} fail. */
  public SmallTerminal(int lines, int columns) {
    cells = new char[lines][columns];
    for (char[] cellsOfLine : cells) {
      Arrays.fill(cellsOfLine, ' ');
    }
  }

  /** What can be read after the text was printed; blank lines at the end are left out. */
  public List<String> show(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\n') {
        down();
        column = 0;
      } else if (c == '\r') {
        column = 0;
      } else if (c == '\u001b') {
        i = escape(text, i + 1);
      } else {
        cells[line][column++] = c;
      }
    }
    List<String> lines = new ArrayList<>();
    for (char[] cellsOfLine : cells) {
      lines.add(new String(cellsOfLine).stripTrailing());
    }
    while (!lines.isEmpty() && lines.get(lines.size() - 1).isEmpty()) {
      lines.remove(lines.size() - 1);
    }
    return lines;
  }

  private int escape(String text, int at) {
    switch (text.charAt(at)) {
      case '7' -> {
        savedLine = line;
        savedColumn = column;
      }
      case '8' -> {
        line = savedLine;
        column = savedColumn;
      }
      case 'D' -> down();
      case '[' -> {
        if (text.startsWith("[A", at)) {
          line = Math.max(0, line - 1);
        } else if (text.startsWith("[B", at)) {
          line = Math.min(cells.length - 1, line + 1);
        } else if (text.startsWith("[2K", at)) {
          Arrays.fill(cells[line], ' ');
          return at + 2;
        } else {
          throw new AssertionError("unknown sequence at " + at + " of " + text);
        }
        return at + 1;
      }
      default -> throw new AssertionError("unknown sequence at " + at + " of " + text);
    }
    return at;
  }

  private void down() {
    if (line < cells.length - 1) {
      line++;
      return;
    }
    System.arraycopy(cells, 1, cells, 0, cells.length - 1);
    cells[line] = new char[cells[0].length];
    Arrays.fill(cells[line], ' ');
  }
}
