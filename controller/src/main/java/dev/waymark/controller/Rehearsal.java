package dev.waymark.controller;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Practises before there is much to do. A JVM interprets, ten times slower, what it has not done
 * some two hundred times, so the first hundreds of TrainJobs would each take a controller that has
 * just started several times as long as later ones. The components therefore do their work with a
 * made-up TrainJob, in this process, as soon as all of them are ready. Price: some two seconds of
 * CPU after each start, two thirds of one core at most.
 */
final class Rehearsal {

  private static final Logger log = LoggerFactory.getLogger(Rehearsal.class);

  /** HotSpot has a method compiled after 200 calls (Tier3InvocationThreshold, 17). */
  static final int ROUNDS = 300;

  private static final long READY_POLL_MILLIS = 100;

  /** What has been compiled stays so, whichever controller of a JVM had it done. */
  private static final AtomicBoolean DONE = new AtomicBoolean();

  private final List<Component> components;
  private final AtomicBoolean done;
  private final Thread thread = new Thread(this::run, "rehearsal");

  /** Nothing happens before {@link #begin}. */
  Rehearsal(List<Component> components) {
    this(components, DONE);
  }

  /**
   * With a memory of its own.
   *
   * @param done whether this JVM has rehearsed; set by the first that does
   */
  Rehearsal(List<Component> components, AtomicBoolean done) {
    this.components = List.copyOf(components);
    this.done = done;
    thread.setDaemon(true);
  }

  /** Comes back at once. */
  void begin() {
    thread.start();
  }

  /** Ends within a round. */
  void end() {
    thread.interrupt();
  }

  /** Waits for its end. */
  void join() throws InterruptedException {
    thread.join();
  }

  private void run() {
    try {
      while (!components.stream().allMatch(component -> component.notReady().isEmpty())) {
        TimeUnit.MILLISECONDS.sleep(READY_POLL_MILLIS);
      }
      if (done.compareAndSet(false, true)) {
        rehearse();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      if (!thread.isInterrupted()) {
        log.warn("A rehearsal failed: {}", e.toString());
      }
      log.debug("A rehearsal failed", e);
    }
  }

  private void rehearse() throws InterruptedException {
    long start = System.nanoTime();
    List<Practice> practices = new ArrayList<>();
    try {
      components.forEach(component -> component.practice().ifPresent(practices::add));
      for (int round = 0; round < ROUNDS; round++) {
        long begun = System.nanoTime();
        practices.forEach(Practice::round);
        // Whoever needs the core meanwhile has a third of it at least.
        TimeUnit.NANOSECONDS.sleep((System.nanoTime() - begun) / 2);
      }
    } finally {
      practices.forEach(Practice::close);
    }
    log.debug("Rehearsed for {} ms", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
  }
}
