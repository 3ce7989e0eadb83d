package dev.waymark.cli.run;

import dev.waymark.cli.terminal.StatusRow;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;

/**
 * Decides where the output of nodes goes: to this process's own output, without a byte changed, by
 * the shortest way that the display allows.
 *
 * <p>One node inherits the streams, unless a status row shows on the same terminal. Several nodes
 * get their names before each line.
 */
final class ProgramOutput {

  private final OutputStream out;
  private final OutputStream err;
  private final boolean named;

  /**
   * @param outRow the row that shows on the terminal of standard output, or null
   * @param errRow the row that shows on the terminal of standard error, or null
   * @param named whether there are several nodes
   */
  ProgramOutput(StatusRow outRow, StatusRow errRow, boolean named) {
    this.out = way(FileDescriptor.out, outRow, named);
    this.err = way(FileDescriptor.err, errRow, named);
    this.named = named;
  }

  /** Where standard output goes; null to inherit. */
  OutputStream out(Node node) {
    return prefixed(out, node);
  }

  /** Where standard error goes; null to inherit. */
  OutputStream err(Node node) {
    return prefixed(err, node);
  }

  private static OutputStream way(FileDescriptor descriptor, StatusRow row, boolean named) {
    if (row == null && !named) {
      return null;
    }
    OutputStream own = new FileOutputStream(descriptor);
    return row == null ? own : row.beside(own);
  }

  private OutputStream prefixed(OutputStream way, Node node) {
    return named ? new PrefixedLines(way, "[" + node.name() + "] ") : way;
  }
}
