package dev.waymark.cli.cluster.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.cli.page.PageStream.Event;
import dev.waymark.client.LogLine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class LogTailTest {

  @Test
  void handsOnLinesAndThenTheEnd() throws Exception {
    LogTail tail =
        new LogTail(
            lines -> {
              lines.accept(new LogLine("node-0", "one"));
              lines.accept(new LogLine("node-0", "\u001b[31mtwo\tthree\u0000"));
              lines.accept(new LogLine("node-0", "x".repeat(LogTail.MAX_LENGTH + 1)));
            });
    tail.start();
    List<Event> events = toEnd(tail);

    assertThat(lines(events))
        .containsExactly("one", "[31mtwo three", "x".repeat(LogTail.MAX_LENGTH) + "…");
    assertThat(events.get(events.size() - 1))
        .isEqualTo(new Event("end", "{\"message\":\"The log has ended.\"}", true));
  }

  @Test
  void whatComesFasterThanItIsReadIsLeftOutAndCounted() throws Exception {
    CountDownLatch written = new CountDownLatch(1);
    LogTail tail =
        new LogTail(
            lines -> {
              for (int i = 0; i < LogTail.MAX_WAITING + 3; i++) {
                lines.accept(new LogLine("node-0", "" + i));
              }
              written.countDown();
            });
    tail.start();
    written.await();
    List<Event> events = toEnd(tail);

    assertThat(lines(events)).hasSize(LogTail.MAX_WAITING).startsWith("3");
    assertThat(json(events.get(0)).path("missed").asInt()).isEqualTo(3);
  }

  @Test
  void readingEndsWithWhoReads() {
    AtomicBoolean ended = new AtomicBoolean();
    CountDownLatch reading = new CountDownLatch(1);
    LogTail tail =
        new LogTail(
            lines -> {
              reading.countDown();
              try {
                new CountDownLatch(1).await();
              } finally {
                ended.set(true);
              }
            });
    tail.start();
    await().until(() -> reading.getCount() == 0);
    assertThat(tail.poll()).isEmpty();
    tail.close();

    await().untilTrue(ended);
  }

  @Test
  void whatGoesWrongIsTheEnd() throws Exception {
    LogTail tail =
        new LogTail(
            lines -> {
              throw new IllegalStateException("odd");
            });
    tail.start();

    assertThat(json(toEnd(tail).get(0)).path("message").asText())
        .isEqualTo("Waymark itself failed: java.lang.IllegalStateException: odd");
  }

  private static List<Event> toEnd(LogTail tail) {
    List<Event> events = new ArrayList<>();
    await()
        .until(
            () -> {
              events.addAll(tail.poll());
              return events.stream().anyMatch(Event::last);
            });
    return events;
  }

  private static List<String> lines(List<Event> events) throws Exception {
    List<String> lines = new ArrayList<>();
    for (Event event : events) {
      json(event).path("lines").forEach(line -> lines.add(line.asText()));
    }
    return lines;
  }

  private static JsonNode json(Event event) throws Exception {
    return new ObjectMapper().readTree(event.data());
  }
}
