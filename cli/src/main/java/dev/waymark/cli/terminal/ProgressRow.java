package dev.waymark.cli.terminal;

import dev.waymark.trainer.api.TrainerStatus;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Optional;
import java.util.function.IntSupplier;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;

/** Progress as a bar in the terminal's status row. */
final class ProgressRow implements ProgressDisplay {

  private static final int REDRAW_MILLIS = 500;

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
    bar.setExtraMessage(" " + new StatusText(status).besideBar());
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
        .setStyle(style(charset))
        .setEtaFunction(state -> remaining())
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
