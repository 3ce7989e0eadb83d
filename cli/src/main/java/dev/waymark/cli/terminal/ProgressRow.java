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
public final class ProgressRow implements ProgressDisplay {

  private static final int REDRAW_MILLIS = 500;

  private final StatusRow row;
  private final ProgressBar bar;
  private volatile TrainerStatus newest;

  /**
   * @param taskName what stands before the bar
   * @param columns width of the terminal, asked before each drawing
   * @param charset what the terminal understands
   */
  public ProgressRow(StatusRow row, String taskName, IntSupplier columns, Charset charset) {
    this.row = row;
    this.bar =
        new ProgressBarBuilder()
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

  @Override
  public void show(TrainerStatus status) {
    newest = status;
    StatusText text = new StatusText(status);
    Integer percent = status.progressPercentage();
    if (percent == null) {
      bar.maxHint(-1);
    } else {
      bar.maxHint(100);
      bar.stepTo(percent);
    }
    bar.setExtraMessage(" " + text.besideBar());
    bar.refresh();
  }

  @Override
  public void close() {
    bar.close();
    row.close();
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
