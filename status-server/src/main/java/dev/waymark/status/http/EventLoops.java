package dev.waymark.status.http;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Finds contexts that run on different event loops. Vert.x gives each thread that asks one context,
 * on whichever loop is the next in turn (seen with 4.5.24).
 */
final class EventLoops {

  /** Others ask in between, so a turn may be missed. */
  private static final int TRIES_PER_LOOP = 8;

  /**
   * Contexts, each on a loop of its own. Waits for them, so it must not be called on a thread of
   * Vert.x.
   *
   * @param most at least 1
   * @return as many, or fewer where the Vertx has no more loops; the caller's own for one
   */
  static List<Context> of(Vertx vertx, int most) {
    if (most == 1) {
      return List.of(vertx.getOrCreateContext());
    }
    Map<Thread, Context> byLoop = new LinkedHashMap<>();
    for (int tries = 0; byLoop.size() < most && tries < most * TRIES_PER_LOOP; tries++) {
      Context next = ofNewThread(vertx);
      byLoop.putIfAbsent(loop(next), next);
    }
    return List.copyOf(byLoop.values());
  }

  private static Context ofNewThread(Vertx vertx) {
    return CompletableFuture.supplyAsync(
            vertx::getOrCreateContext, work -> new Thread(work, "new-context").start())
        .join();
  }

  private static Thread loop(Context context) {
    CompletableFuture<Thread> loop = new CompletableFuture<>();
    context.runOnContext(nothing -> loop.complete(Thread.currentThread()));
    return loop.join();
  }

  private EventLoops() {}
}
