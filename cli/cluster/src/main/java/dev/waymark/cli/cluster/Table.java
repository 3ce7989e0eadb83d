package dev.waymark.cli.cluster;

import dev.waymark.cli.terminal.TextWidth;
import dev.waymark.cli.text.PrintableText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows whose columns stand below each other. Cells come from objects that anybody may have written:
 * what could act on a terminal is taken out of them.
 */
final class Table {

  /** Of a cell, in UTF-16 units. */
  private static final int LONGEST = 500;

  private static final String GAP = "   ";

  private final List<List<String>> rows = new ArrayList<>();

  Table(String... titles) {
    rows.add(List.of(titles));
  }

  /** Adds a row; null is an empty cell. */
  Table row(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(cell == null ? "" : PrintableText.of(cell.toString(), LONGEST));
    }
    rows.add(row);
    return this;
  }

  void print(PrintWriter out) {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], TextWidth.of(row.get(i)));
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(row.get(i));
        if (i < columns - 1) {
          line.append(" ".repeat(widths[i] - TextWidth.of(row.get(i)))).append(GAP);
        }
      }
      out.println(line.toString().stripTrailing());
    }
  }
}
