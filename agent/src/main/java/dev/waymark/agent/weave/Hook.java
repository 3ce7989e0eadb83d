package dev.waymark.agent.weave;

import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * What woven code calls at one hook point. Finds out at the first call who is to be told, for
 * before that the framework's classes may not be ready. Never throws, whatever the one who is told
 * does; what doesn't link with this framework is not called again.
 */
final class Hook implements BiConsumer<Object[], Throwable> {
  private final HookPoint point;
  private final Notices notices;
  private final Search search;

  /** Null before the first call. A race finds the same one twice. */
  private BiConsumer<Object[], Throwable> told;

  /** Looks for the one to be told; null if there is nobody. */
  @FunctionalInterface
  interface Search {
    BiConsumer<Object[], Throwable> find() throws Exception;
  }

  Hook(HookPoint point, Search search, Notices notices) {
    this.point = point;
    this.search = search;
    this.notices = notices;
  }

  @Override
  public void accept(Object[] call, Throwable thrown) {
    try {
      BiConsumer<Object[], Throwable> listener = told;
      if (listener == null) {
        listener = Objects.requireNonNullElse(search.find(), Hook::tellNobody);
        told = listener;
      }
      listener.accept(call, thrown);
    } catch (LinkageError e) {
      told = Hook::tellNobody;
      notices.failed(point, e);
    } catch (Throwable t) {
      notices.failed(point, t);
    }
  }

  private static void tellNobody(Object[] call, Throwable thrown) {}
}
