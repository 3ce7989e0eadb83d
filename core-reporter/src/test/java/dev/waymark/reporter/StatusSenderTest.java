package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the sender's thread does, against an endpoint without a network. */
@Timeout(60)
class StatusSenderTest {
  private static final Duration AMPLE = Duration.ofSeconds(20);
  private static final Duration NEVER = Duration.ofHours(1);

  private final LogLines lines = new LogLines();
  private final FakeSource source = new FakeSource();
  private final FakeEndpoint endpoint = new FakeEndpoint();
  private StatusSender sender;

  @AfterEach
  void close() {
    endpoint.release();
    if (sender != null) {
      sender.stop();
    }
    await().until(() -> senderThreads() == 0);
    lines.close();
  }

  @Test
  void sendsTheNewestStateAgainAndAgain() {
    source.running();
    sender = sender(source, Duration.ofMillis(20));

    sender.start();
    sender.start();

    await().until(() -> source.acknowledged().size() >= 5);
    assertThat(endpoint.threads).allMatch(t -> t.equals("waymark-sender"));
    assertThat(source.acknowledged()).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void keepsTheIntervalBetweenReports() {
    long interval = TimeUnit.MILLISECONDS.toNanos(200);
    source.running();
    sender = sender(source, Duration.ofNanos(interval));

    sender.start();
    await().until(() -> endpoint.times.size() >= 6);

    // A busy machine may bring the first one late; the exact spacing is SendScheduleTest's.
    assertThat(endpoint.times.get(5) - endpoint.times.get(0)).isGreaterThan(5 * interval * 8 / 10);
  }

  @Test
  void aLastWordDoesNotWaitForTheInterval() {
    source.running();
    sender = new StatusSender(source, endpoint, NEVER, lines.log(), () -> 0);
    sender.start();
    await().until(() -> endpoint.documents.size() == 1);

    long first = source.endRun();
    long second = source.endRun();

    await().atMost(AMPLE).until(() -> source.acknowledged().contains(second));
    assertThat(source.acknowledged()).endsWith(first, second);
  }

  @Test
  void theFirstReportWaitsForItsOffsetButALastWordDoesNot() {
    source.running();
    sender = new StatusSender(source, endpoint, NEVER, lines.log(), () -> 0.99);
    sender.start();
    source.endRun();

    await().atMost(AMPLE).until(() -> endpoint.documents.size() == 1);
  }

  @Test
  void aLastWordWaitsWhileTheEndpointFails() {
    endpoint.status = 500;
    sender = new StatusSender(source, endpoint, Duration.ofMillis(300), lines.log(), () -> 0);
    sender.start();
    source.endRun();

    await().until(() -> endpoint.times.size() >= 3);

    // A busy machine may bring the first one late; the exact spacing is SendScheduleTest's.
    assertThat(endpoint.times.get(2) - endpoint.times.get(0))
        .isGreaterThan(TimeUnit.MILLISECONDS.toNanos((300 + 600) * 8 / 10));
  }

  @Test
  void flushSendsWhatWaitsToBeSaidLast() {
    source.endRun();
    source.endRun();
    sender = sender(source, NEVER);

    assertThat(sender.flush(Duration.ofMinutes(2))).isTrue();

    assertThat(source.acknowledged()).containsExactly(1L, 2L);
    assertThat(endpoint.documents).containsExactly("full 1", "full 2");
  }

  @Test
  void flushWithNothingToSayReturnsAtOnce() {
    source.running();
    sender = sender(source, NEVER);

    assertThat(sender.flush(AMPLE)).isTrue();

    assertThat(endpoint.documents).isEmpty();
  }

  @Test
  void flushDoesNotWaitForTheBackOffAndGivesUpAfterTwoAttempts() {
    endpoint.status = 500;
    sender = new StatusSender(source, endpoint, Duration.ofSeconds(30), lines.log(), () -> 0);
    source.endRun();
    sender.start();
    await().until(() -> lines.warnings().size() == 1);

    assertThat(sender.flush(AMPLE)).isFalse();
    assertThat(endpoint.documents).hasSize(3);

    endpoint.status = 200;
    assertThat(sender.flush(AMPLE)).isTrue();
    assertThat(source.acknowledged()).hasSize(1);
    assertThat(lines.warnings()).hasSize(1);
    assertThat(lines.infos()).hasSize(1).first().asString().contains("reports reach");
  }

  @Test
  void theSecondAttemptOfAFlushComesHalfASecondLater() {
    endpoint.status = 500;
    endpoint.statusFromSecondRequestOn = 200;
    source.endRun();
    sender = sender(source, NEVER);

    assertThat(sender.flush(AMPLE)).isTrue();

    assertThat(endpoint.times.get(1) - endpoint.times.get(0))
        .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(450));
  }

  @Test
  void flushLetsASendingInFlightFinishAndThenSendsTheLastWord() {
    endpoint.hold();
    source.running();
    sender = new StatusSender(source, endpoint, NEVER, lines.log(), () -> 0);
    sender.start();
    await().until(() -> endpoint.documents.size() == 1);
    long lastWord = source.endRun();

    CompletableFuture<Boolean> flush = CompletableFuture.supplyAsync(() -> sender.flush(AMPLE));
    endpoint.release();

    assertThat(flush).succeedsWithin(AMPLE).isEqualTo(true);
    assertThat(source.acknowledged()).endsWith(lastWord);
    assertThat(endpoint.mostAtOnce.get()).isEqualTo(1);
  }

  /** The endpoint never answers for run 1; whoever asks first, there is time for the newest. */
  @ParameterizedTest(name = "an attempt in flight: {0}")
  @ValueSource(booleans = {true, false})
  void aFlushHasTimeForTheNewestLastWordWhateverBecomesOfThoseBeforeIt(boolean inFlight) {
    StuckEndpoint stuck = new StuckEndpoint("full 1");
    sender = sender(stuck);
    source.endRun();
    if (inFlight) {
      sender.start();
      await().until(() -> stuck.documents.size() == 1);
    }
    source.endRun();
    source.endRun();

    assertThat(sender.flush(Duration.ofSeconds(6))).isTrue();

    assertThat(stuck.documents).endsWith("full 3").doesNotContain("full 2");
    assertThat(source.acknowledged()).containsExactly(3L);
    assertThat(source.hasLastWord()).isFalse();
    assertThat(lines.warnings())
        .containsExactly(
            "the last status of 2 earlier runs may not have reached https://endpoint:443: when the"
                + " program ended there was time for the newest only");
  }

  @Test
  void aFlushThatFailsCountsWhoseLastWordsAreLost() {
    StuckEndpoint stuck = new StuckEndpoint("full 2", "full 4");
    sender = sender(stuck);
    source.endRun();
    sender.start();
    await().until(() -> source.acknowledged().size() == 1);
    source.endRun();
    await().until(() -> stuck.documents.size() == 2);
    source.endRun();
    source.endRun();

    assertThat(sender.flush(Duration.ofSeconds(2))).isFalse();

    assertThat(stuck.documents).startsWith("full 1", "full 2", "full 4").doesNotContain("full 3");
    assertThat(lines.warnings())
        .singleElement()
        .asString()
        .startsWith("no report reaches https://endpoint:443 any more: ")
        .endsWith(". The last status of 3 runs may not have arrived.");
  }

  /** As where no packet leaves the pod, and the first attempt of a short training still hangs. */
  @ParameterizedTest(name = "hint: {0}")
  @ValueSource(strings = {"", "does a NetworkPolicy block DNS, port 53?"})
  void flushReturnsAtItsLimitAndSaysThatTheLastWordIsLost(String hint) {
    endpoint.hint = hint;
    endpoint.hold();
    source.endRun();
    sender = sender(source, NEVER);

    long start = System.nanoTime();
    assertThat(sender.flush(Duration.ofMillis(200))).isFalse();

    assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(4));
    assertThat(lines.warnings())
        .containsExactly(
            "no report reached https://endpoint:443: the last status was not acknowledged within"
                + " 200 ms"
                + (hint.isEmpty() ? "" : " (" + hint + ")")
                + ". The last status may not have arrived.");
  }

  @Test
  void theFirstAttemptInAFlushHasHalfOfItsTimeAtMost() {
    source.endRun();
    sender = sender(source, NEVER);

    sender.flush(Duration.ofMillis(1500));
    source.endRun();
    sender.flush(AMPLE);

    assertThat(endpoint.limits.get(0)).isLessThanOrEqualTo(Duration.ofMillis(750));
    assertThat(endpoint.limits.get(1)).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void anInterruptedFlushReturnsAndStaysInterrupted() throws Exception {
    endpoint.hold();
    source.endRun();
    sender = sender(source, NEVER);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread caller =
        new Thread(
            () -> {
              boolean delivered = sender.flush(AMPLE);
              interrupted.complete(!delivered && Thread.currentThread().isInterrupted());
            });
    caller.start();
    await().until(() -> endpoint.documents.size() == 1);

    caller.interrupt();

    assertThat(interrupted).succeedsWithin(AMPLE).isEqualTo(true);
    caller.join();
  }

  @Test
  void stopEndsTheThreadAndClosesTheEndpoint() {
    source.running();
    sender = sender(source, Duration.ofMillis(20));
    sender.start();
    await().until(() -> !source.acknowledged().isEmpty());

    sender.stop();

    assertThat(endpoint.closed).isTrue();
    await().until(() -> senderThreads() == 0);
    source.endRun();
    assertThat(sender.flush(AMPLE)).isFalse();
    sender.start();
    assertThat(senderThreads()).isZero();
    assertThat(lines.warnings()).isEmpty();
  }

  @Test
  void stopEndsASendingThatHangs() {
    endpoint.hold();
    source.endRun();
    sender = sender(source, NEVER);
    sender.start();
    await().until(() -> endpoint.documents.size() == 1);

    sender.stop();

    await().until(() -> senderThreads() == 0);
    assertThat(lines.warnings()).isEmpty();
  }

  @Test
  void stopReleasesSomebodyWhoFlushes() {
    endpoint.hold();
    source.endRun();
    sender = sender(source, NEVER);
    CompletableFuture<Boolean> flush = CompletableFuture.supplyAsync(() -> sender.flush(AMPLE));
    await().until(() -> endpoint.documents.size() == 1);

    sender.stop();

    assertThat(flush).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(false);
  }

  @Test
  void anIdleSourceIsAskedForLastWordsOnceASecondAndForReportsOnceAnInterval() {
    List<Long> lastWordAsked = new CopyOnWriteArrayList<>();
    AtomicInteger reportAsked = new AtomicInteger();
    ReportSource idle =
        new ReportSource() {
          @Override
          public boolean hasLastWord() {
            lastWordAsked.add(System.nanoTime());
            return false;
          }

          @Override
          public Report next() {
            reportAsked.incrementAndGet();
            return null;
          }

          @Override
          public void acknowledged(Report report) {}
        };
    sender = new StatusSender(idle, endpoint, NEVER, lines.log(), () -> 0);

    sender.start();

    await().atMost(AMPLE).until(() -> lastWordAsked.size() >= 4);
    // A busy machine may bring the first one late.
    assertThat(lastWordAsked.get(3) - lastWordAsked.get(0))
        .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(3000 * 8 / 10));
    assertThat(reportAsked).hasValue(1);
  }

  @Test
  void aSourceMayStopItsSenderAndIsThenLeftAlone() {
    AtomicInteger asked = new AtomicInteger();
    ReportSource idle =
        new ReportSource() {
          @Override
          public boolean hasLastWord() {
            sender.stop();
            return false;
          }

          @Override
          public Report next() {
            asked.incrementAndGet();
            return null;
          }

          @Override
          public void acknowledged(Report report) {}
        };
    sender = new StatusSender(idle, endpoint, NEVER, lines.log(), () -> 0);

    sender.start();

    await().until(() -> endpoint.closed && senderThreads() == 0);
    assertThat(asked).hasValue(0);
    assertThat(lines.warnings()).isEmpty();
  }

  @Test
  void theThreadSurvivesWhateverTheSourceThrows() {
    AtomicInteger calls = new AtomicInteger();
    ReportSource broken =
        new ReportSource() {
          @Override
          public boolean hasLastWord() {
            switch (calls.incrementAndGet()) {
              case 1:
                throw new IllegalStateException("a defect");
              case 2:
                throw new StackOverflowError();
              default:
                return source.hasLastWord();
            }
          }

          @Override
          public Report next() {
            return source.next();
          }

          @Override
          public void acknowledged(Report report) {
            source.acknowledged(report);
          }
        };
    source.endRun();
    sender = sender(broken, Duration.ofMillis(20));

    sender.start();

    await().until(() -> source.acknowledged().size() == 1);
    assertThat(lines.warnings())
        .hasSize(1)
        .first()
        .asString()
        .contains("internal error: java.lang.IllegalStateException: a defect");
  }

  @Test
  void aDefectDuringAFlushIsNotRepeatedWithoutPause() {
    AtomicInteger calls = new AtomicInteger();
    ReportSource broken =
        new ReportSource() {
          @Override
          public boolean hasLastWord() {
            calls.incrementAndGet();
            throw new IllegalStateException("a defect");
          }

          @Override
          public Report next() {
            return null;
          }

          @Override
          public void acknowledged(Report report) {}
        };
    sender = sender(broken, NEVER);

    assertThat(sender.flush(Duration.ofMillis(300))).isFalse();

    assertThat(calls).hasValueLessThan(5);
  }

  @Test
  void theThreadIsADaemonWithoutTheProgramsClassLoaderAndSurvivesInterrupts() {
    source.running();
    sender = sender(source, Duration.ofMillis(20));
    sender.start();
    Thread thread =
        Thread.getAllStackTraces().keySet().stream()
            .filter(t -> t.getName().equals("waymark-sender"))
            .findFirst()
            .orElseThrow();

    assertThat(thread.isDaemon()).isTrue();
    assertThat(thread.getContextClassLoader()).isNull();
    thread.interrupt();
    int before = source.acknowledged().size();
    await().until(() -> source.acknowledged().size() > before + 1);
  }

  @Test
  void aThreadThatCouldNotBeStartedIsTriedAgainWithOneWarning() {
    source.running();
    ScarceThreads threads = new ScarceThreads(2);
    sender = sender(threads, Duration.ofMillis(20));

    sender.start();
    assertThat(lines.warnings())
        .containsExactly(
            "no report reached https://endpoint:443: no thread could be started: unable to create"
                + " native thread. Training goes on; Waymark keeps trying.");
    await()
        .until(
            () -> {
              sender.startIfMissing();
              return source.acknowledged().size() >= 2;
            });

    assertThat(threads.asked).hasValue(3);
    assertThat(lines.warnings()).hasSize(1);
    assertThat(lines.infos()).hasSize(1).first().asString().contains("reports reach");
  }

  @Test
  void aThreadThatCanNotBeStartedIsTriedAgainNoMoreOftenThanAReport() {
    ScarceThreads threads = new ScarceThreads(10);
    sender = sender(threads, NEVER);
    sender.start();

    for (int call = 0; call < 1000; call++) {
      sender.startIfMissing();
    }

    assertThat(threads.asked).hasValue(1);
  }

  @Test
  void aLastWordGetsItsThreadWhateverTheBackOff() {
    source.endRun();
    ScarceThreads threads = new ScarceThreads(1);
    sender = sender(threads, NEVER);
    sender.start();

    assertThat(sender.flush(AMPLE)).isTrue();

    assertThat(threads.asked).hasValue(2);
  }

  private StatusSender sender(StuckEndpoint stuck) {
    return new StatusSender(source, stuck, NEVER, lines.log(), () -> 0);
  }

  private StatusSender sender(ThreadFactory threads, Duration interval) {
    return new StatusSender(source, endpoint, interval, lines.log(), () -> 0, threads);
  }

  private StatusSender sender(ReportSource from, Duration interval) {
    return new StatusSender(from, endpoint, interval, lines.log());
  }

  private static long senderThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().equals("waymark-sender"))
        .count();
  }

  /** At a limit of threads: the first ones can't be started. */
  private static final class ScarceThreads implements ThreadFactory {
    private final AtomicInteger asked = new AtomicInteger();
    private final int refused;

    ScarceThreads(int refused) {
      this.refused = refused;
    }

    @Override
    public Thread newThread(Runnable task) {
      if (asked.incrementAndGet() > refused) {
        Thread thread = new Thread(task, "waymark-sender");
        thread.setDaemon(true);
        return thread;
      }
      return new Thread(task) {
        @Override
        public synchronized void start() {
          throw new OutOfMemoryError("unable to create native thread");
        }
      };
    }
  }

  /** Answers at once, but some documents never: their attempts end by deadline or disconnect. */
  private static final class StuckEndpoint implements StatusEndpoint {
    private final List<String> documents = new CopyOnWriteArrayList<>();
    private final List<String> unanswered;
    private volatile CountDownLatch connection = new CountDownLatch(1);

    StuckEndpoint(String... unanswered) {
      this.unanswered = List.of(unanswered);
    }

    @Override
    public String name() {
      return "https://endpoint:443";
    }

    @Override
    public HttpAnswer post(byte[] document, Deadline deadline) throws IOException {
      connection = new CountDownLatch(1);
      String text = new String(document, StandardCharsets.UTF_8);
      documents.add(text);
      if (unanswered.contains(text)) {
        try {
          connection.await(deadline.remainingMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
          throw new IOException("interrupted", e);
        }
        throw new IOException("no complete answer within " + deadline.limit().toMillis() + " ms");
      }
      return new HttpAnswer(200, "", true);
    }

    @Override
    public void disconnect() {
      connection.countDown();
    }

    @Override
    public void close() {
      disconnect();
    }
  }

  /** An endpoint that answers as told, at once or when released. */
  private static final class FakeEndpoint implements StatusEndpoint {
    private final List<String> documents = new CopyOnWriteArrayList<>();
    private final List<Long> times = new CopyOnWriteArrayList<>();
    private final List<Duration> limits = new CopyOnWriteArrayList<>();
    private final List<String> threads = new CopyOnWriteArrayList<>();
    private final AtomicInteger atOnce = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();
    private volatile CountDownLatch held = new CountDownLatch(0);
    private volatile int status = 200;
    private volatile int statusFromSecondRequestOn;
    private volatile String hint = "";
    private volatile boolean closed;

    void hold() {
      held = new CountDownLatch(1);
    }

    void release() {
      held.countDown();
    }

    @Override
    public String name() {
      return "https://endpoint:443";
    }

    @Override
    public HttpAnswer post(byte[] document, Deadline deadline) throws IOException {
      mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
      times.add(System.nanoTime());
      limits.add(deadline.limit());
      threads.add(Thread.currentThread().getName());
      int answer =
          documents.isEmpty() || statusFromSecondRequestOn == 0
              ? status
              : statusFromSecondRequestOn;
      documents.add(new String(document, StandardCharsets.UTF_8));
      try {
        held.await();
      } catch (InterruptedException e) {
        throw new IOException("interrupted", e);
      } finally {
        atOnce.decrementAndGet();
      }
      if (closed) {
        throw new IOException("closed");
      }
      return new HttpAnswer(answer, "", true);
    }

    @Override
    public String hint() {
      return hint;
    }

    @Override
    public void disconnect() {}

    @Override
    public void close() {
      closed = true;
      release();
    }
  }
}
