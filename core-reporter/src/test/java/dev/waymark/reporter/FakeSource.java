package dev.waymark.reporter;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A source whose runs a test begins and ends by hand. */
final class FakeSource implements ReportSource {
  private final Deque<Report> lastWords = new ArrayDeque<>();
  private final List<Long> acknowledged = new ArrayList<>();
  private boolean running;
  private long number;

  /** There is always something new from now on. */
  synchronized FakeSource running() {
    running = true;
    return this;
  }

  /** A run ends; its last word has the number that is returned. */
  synchronized long endRun() {
    running = false;
    lastWords.add(report(++number, true));
    return number;
  }

  synchronized List<Long> acknowledged() {
    return new ArrayList<>(acknowledged);
  }

  @Override
  public synchronized boolean hasLastWord() {
    return !lastWords.isEmpty();
  }

  @Override
  public synchronized boolean hasOlderLastWord() {
    return lastWords.size() > 1;
  }

  @Override
  public synchronized int dropOlderLastWords() {
    int older = lastWords.size() - 1;
    for (int dropped = 0; dropped < older; dropped++) {
      lastWords.remove();
    }
    return Math.max(0, older);
  }

  @Override
  public synchronized Report next() {
    if (!lastWords.isEmpty()) {
      return lastWords.peek();
    }
    return running ? report(++number, false) : null;
  }

  @Override
  public synchronized void acknowledged(Report report) {
    acknowledged.add(number(report));
    lastWords.remove(report);
  }

  static Report report(long number, boolean ended) {
    return new Report(
        ended, bytes("full", number), bytes("essential", number), bytes("bare", number));
  }

  private static long number(Report report) {
    return Long.parseLong(new String(report.full(), StandardCharsets.UTF_8).split(" ")[1]);
  }

  private static byte[] bytes(String size, long number) {
    return (size + " " + number).getBytes(StandardCharsets.UTF_8);
  }
}
