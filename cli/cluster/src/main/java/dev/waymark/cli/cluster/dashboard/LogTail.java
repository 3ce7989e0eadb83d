package dev.waymark.cli.cluster.dashboard;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waymark.cli.page.PageJson;
import dev.waymark.cli.page.PageStream;
import dev.waymark.cli.text.PrintableText;
import dev.waymark.client.LogLine;
import dev.waymark.client.TrainerException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * The end of a log, as a page reads it: {@code lines} as they come, and {@code end}. What comes
 * faster than the page reads is left out and counted.
 */
final class LogTail implements PageStream {

  /** That a page gets at first. */
  static final int FIRST_LINES = 500;

  static final int MAX_WAITING = 2_000;
  static final int MAX_LENGTH = 2_000;

  private final LogReader reader;
  private final Thread thread = new Thread(this::read, "waymark-dashboard-log");
  private final Deque<String> waiting = new ArrayDeque<>();
  private long missed;

  /** Why nothing comes any more; null as long as something may. */
  private String end;

  /** Reads a log. */
  interface LogReader {

    /** Reads to the end, or until it is interrupted. */
    void read(Consumer<LogLine> lines) throws InterruptedException;
  }

  LogTail(LogReader reader) {
    this.reader = reader;
  }

  @Override
  public void start() {
    thread.setDaemon(true);
    thread.start();
  }

  private void read() {
    try {
      reader.read(line -> add(line.text()));
      end("The log has ended.");
    } catch (TrainerException e) {
      end(e.getMessage());
    } catch (InterruptedException nobodyReads) {
      end("Nobody reads it any more.");
    } catch (RuntimeException defect) {
      end("Waymark itself failed: " + defect);
    }
  }

  private synchronized void add(String line) {
    if (waiting.size() == MAX_WAITING) {
      waiting.remove();
      missed++;
    }
    waiting.add(PrintableText.of(line, MAX_LENGTH));
  }

  private synchronized void end(String why) {
    end = why;
  }

  @Override
  public synchronized List<Event> poll() {
    List<Event> events = new ArrayList<>();
    if (!waiting.isEmpty()) {
      ObjectNode lines = PageJson.object().put("missed", missed);
      waiting.forEach(lines.putArray("lines")::add);
      waiting.clear();
      events.add(new Event("lines", lines.toString(), false));
    }
    if (end != null) {
      ObjectNode message = PageJson.object().put("message", PageJson.text(end));
      events.add(new Event("end", message.toString(), true));
    }
    return events;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
