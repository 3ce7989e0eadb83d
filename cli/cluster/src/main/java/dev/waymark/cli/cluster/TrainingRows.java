package dev.waymark.cli.cluster;

import dev.waymark.cli.terminal.Terminal;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * TrainJobs as they change. On a terminal each keeps a row, which is drawn again; elsewhere there
 * is a line for each change that people would see.
 */
abstract class TrainingRows {

  /** A terminal of the usual height shows so many with the prompt below them. */
  private static final int MOST = 20;

  /** For where standard output goes. */
  static TrainingRows open(PrintWriter out) {
    if (!Terminal.outputIsTerminal()) {
      return new Plain(out);
    }
    return new Drawn(out, Terminal.open()::columns, Terminal.charset());
  }

  /** Shows them in place of those before. */
  abstract void show(List<TrainingRow> all);

  /** Lines for changes. */
  static final class Plain extends TrainingRows {
    private final PrintWriter out;
    private Map<String, String> shown = Map.of();

    Plain(PrintWriter out) {
      this.out = out;
    }

    @Override
    void show(List<TrainingRow> all) {
      Map<String, String> now = new HashMap<>();
      for (TrainingRow row : all) {
        String key = row.namespace() + "/" + row.name();
        now.put(key, row.plain());
        if (!row.plain().equals(shown.get(key))) {
          out.println(row.plain());
        }
      }
      shown = now;
      out.flush();
      ClosedOutput.check();
    }
  }

  /** Rows of a terminal. Escape sequences: those of the VT100. */
  static final class Drawn extends TrainingRows {
    private static final String UP = "\u001b[%dA";
    private static final String CLEAR_BELOW = "\r\u001b[J";

    private final PrintWriter out;
    private final IntSupplier columns;
    private final Charset charset;
    private int rows;

    Drawn(PrintWriter out, IntSupplier columns, Charset charset) {
      this.out = out;
      this.columns = columns;
      this.charset = charset;
    }

    @Override
    void show(List<TrainingRow> all) {
      List<TrainingRow> first =
          all.stream()
              .sorted(Comparator.comparing((TrainingRow it) -> it.state().isFinal()))
              .limit(MOST)
              .toList();
      int nameWidth = first.stream().mapToInt(it -> it.name().length()).max().orElse(0);
      out.print((rows == 0 ? "" : UP.formatted(rows)) + CLEAR_BELOW);
      first.forEach(it -> out.println(it.drawn(nameWidth, columns.getAsInt(), charset)));
      rows = first.size();
      if (all.size() > first.size()) {
        out.println("and " + (all.size() - first.size()) + " more");
        rows++;
      }
      out.flush();
    }
  }
}
