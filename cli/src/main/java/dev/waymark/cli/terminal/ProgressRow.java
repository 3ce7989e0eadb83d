package dev.waymark.cli.terminal;

import dev.waymark.trainer.api.TrainerStatus;
import java.nio.charset.Charset;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntSupplier;
import me.tongfei.progressbar.DefaultProgressBarRenderer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;
import me.tongfei.progressbar.ProgressState;

/** Progress as a bar in the terminal's status row. */
final class ProgressRow implements ProgressDisplay {

  private static final int REDRAW_MILLIS = 500;

  /** A bar of a dozen columns, percent, two times of up to 99 hours and what stands between. */
  private static final int COLUMNS_OF_BAR_AND_TIMES = 48;

  private final StatusRow row;
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
  ProgressRow(StatusRow row, String taskName, IntSupplier columns, Charset charset) {
    this.row = row;
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
    Integer percent = status.progressPercentage();
    if (percent == null) {
      bar.maxHint(-1);
    } else {
      bar.maxHint(100);
      bar.stepTo(percent);
    }
    int room = columns.getAsInt() - taskName.length() - COLUMNS_OF_BAR_AND_TIMES;
    bar.setExtraMessage(" " + new StatusText(status).besideBar(room));
    bar.refresh();
  }

  @Override
  public synchronized void close() {
    if (bar != null) {
      bar.close();
    }
    row.close();
  }

  private ProgressBar startBar() {
    return new ProgressBarBuilder()
        .setTaskName(taskName)
        .setInitialMax(-1)
        .setUpdateIntervalMillis(REDRAW_MILLIS)
        .setRenderer(new Renderer(style(charset), state -> remaining()))
        .setConsumer(new RowConsumer(row, columns))
        .continuousUpdate()
        .clearDisplayOnFinish()
        .build();
  }

  private Optional<Duration> remaining() {
    return Optional.ofNullable(newest)
        .map(TrainerStatus::estimatedRemainingSeconds)
        .map(Duration::ofSeconds);
  }

  private static ProgressBarStyle style(Charset charset) {
    boolean hasBlocks = charset.canEncode() && charset.newEncoder().canEncode('█');
    return hasBlocks ? ProgressBarStyle.UNICODE_BLOCK : ProgressBarStyle.ASCII;
  }

  /** The library's own picture of a bar, without "42/100" behind "42%". */
  private static final class Renderer extends DefaultProgressBarRenderer {
    private Renderer(
        ProgressBarStyle style, Function<ProgressState, Optional<Duration>> remainingTime) {
      super(style, "", 1, false, null, ChronoUnit.SECONDS, true, remainingTime);
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

  /** Hands what the library rendered to the row. */
  private static final class RowConsumer implements ProgressBarConsumer {
    private final StatusRow row;
    private final IntSupplier columns;

    private RowConsumer(StatusRow row, IntSupplier columns) {
      this.row = row;
      this.columns = columns;
    }

    @Override
    public int getMaxRenderedLength() {
      // A character in the last column would make some terminals wrap.
      return columns.getAsInt() - 1;
    }

    @Override
    public void accept(String rendered) {
      row.draw(rendered);
    }

    @Override
    public void clear() {}

    @Override
    public void close() {}
  }
}
