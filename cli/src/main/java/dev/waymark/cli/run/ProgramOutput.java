package dev.waymark.cli.run;

import dev.waymark.cli.terminal.StatusRows;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;

/**
 * Decides where the output of nodes goes: to this process's own output, without a byte changed, by
 * the shortest way that the display allows.
 *
 * <p>One node inherits the streams, unless status rows show on the same terminal. Several nodes get
 * their names before each line.
 */
final class ProgramOutput {

  private final OutputStream out;
  private final OutputStream err;
  private final boolean named;

  /**
   * @param outRows the rows that show on the terminal of standard output, or null
   * @param errRows the rows that show on the terminal of standard error, or null
   * @param named whether there are several nodes
   */
  ProgramOutput(StatusRows outRows, StatusRows errRows, boolean named) {
    this.out = way(FileDescriptor.out, outRows, named);
    this.err = way(FileDescriptor.err, errRows, named);
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

  private static OutputStream way(FileDescriptor descriptor, StatusRows rows, boolean named) {
    if (rows == null && !named) {
      return null;
    }
    OutputStream own = new FileOutputStream(descriptor);
    return rows == null ? own : rows.beside(own);
  }

  private OutputStream prefixed(OutputStream way, Node node) {
    return named ? new PrefixedLines(way, "[" + node.name() + "] ") : way;
  }
}
