package dev.waymark.cli.terminal;

import dev.waymark.trainer.api.TrainerStatus;
import java.nio.charset.Charset;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import me.tongfei.progressbar.DefaultProgressBarRenderer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;
import me.tongfei.progressbar.ProgressState;

/** Progress in the terminal's status rows: a bar, and below it the figures. */
final class ProgressRows implements ProgressDisplay {

  private static final int REDRAW_MILLIS = 500;

  /** A bar of a dozen columns, percent, two times of up to 99 hours and what stands between. */
  private static final int COLUMNS_OF_BAR_AND_TIMES = 48;

  private final StatusRows rows;
  private final String taskName;
  private final IntSupplier columns;
  private final Charset charset;
  private ProgressBar bar;
  private volatile TrainerStatus newest;

  /**
   * @param taskName what stands before the bar
   * @param columns width of the terminal, asked before each drawing
   * @param charset what the terminal understands
   */
  ProgressRows(StatusRows rows, String taskName, IntSupplier columns, Charset charset) {
    this.rows = rows;
    this.taskName = taskName;
    this.columns = columns;
    this.charset = charset;
  }

  @Override
  public synchronized void show(TrainerStatus status) {
    newest = status;
    if (bar == null) {
      // Not before: a program that reports nothing shows as it does without Waymark.
      bar = startBar();
    }
    int room = room() - label().length() - COLUMNS_OF_BAR_AND_TIMES;
    bar.setExtraMessage(" " + new StatusText(status).besideBar(room));
    Integer percent = status.progressPercentage();
    if (percent == null) {
      bar.maxHint(-1);
    } else {
      bar.maxHint(100);
      bar.stepTo(percent);
    }
    bar.refresh();
  }

  @Override
  public synchronized void close() {
    if (bar != null) {
      bar.close();
    }
    rows.close();
  }

  private ProgressBar startBar() {
    return new ProgressBarBuilder()
        .setInitialMax(-1)
        .setUpdateIntervalMillis(REDRAW_MILLIS)
        .setRenderer(new BarWithTimes(style(charset)))
        .setConsumer(new Drawing())
        .continuousUpdate()
        .clearDisplayOnFinish()
        .build();
  }

  /** What a row may take: a character in the last column would make some terminals wrap. */
  private int room() {
    return columns.getAsInt() - 1;
  }

  /** The name, or its beginning: the narrower a terminal, the more it is for what changes. */
  private String label() {
    return taskName.substring(0, Math.min(taskName.length(), columns.getAsInt() / 4));
  }

  private Optional<Duration> remaining() {
    return Optional.ofNullable(newest.estimatedRemainingSeconds()).map(Duration::ofSeconds);
  }

  private static ProgressBarStyle style(Charset charset) {
    boolean hasBlocks = charset.canEncode() && charset.newEncoder().canEncode('█');
    return hasBlocks ? ProgressBarStyle.UNICODE_BLOCK : ProgressBarStyle.ASCII;
  }

  /** The library's own picture of a bar, without "42/100" behind "42%". */
  private final class BarWithTimes extends DefaultProgressBarRenderer {
    private BarWithTimes(ProgressBarStyle style) {
      super(style, "", 1, false, null, ChronoUnit.SECONDS, true, state -> remaining());
    }

    @Override
    public String render(ProgressState progress, int length) {
      String label = label();
      return label + super.render(progress, length - label.length());
    }

    @Override
    protected String ratio(ProgressState progress) {
      return "";
    }

    @Override
    protected String etaString(ProgressState progress) {
      return super.etaString(progress) + " left";
    }
  }

  /** Hands what the library rendered to the rows, with the figures below it. */
  private final class Drawing implements ProgressBarConsumer {

    @Override
    public int getMaxRenderedLength() {
      return room();
    }

    @Override
    public void accept(String barRow) {
      String figures = new StatusText(newest).figures(room());
      rows.draw(figures.isEmpty() ? List.of(barRow) : List.of(barRow, figures));
    }

    @Override
    public void clear() {}

    @Override
    public void close() {}
  }
}
