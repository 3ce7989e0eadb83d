package dev.waymark.agent.weave;

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
  private FrameworkSide told;

  /** Looks for the one to be told; null if there is nobody. */
  @FunctionalInterface
  interface Search {
    FrameworkSide find() throws Exception;
  }

  Hook(HookPoint point, Search search, Notices notices) {
    this.point = point;
    this.search = search;
    this.notices = notices;
  }

  @Override
  public void accept(Object[] call, Throwable thrown) {
    try {
      FrameworkSide side = told;
      if (side == null) {
        side = find();
      }
      side.at(point, call, thrown);
    } catch (LinkageError e) {
      told = Hook::tellNobody;
      notices.failed(point, e);
    } catch (Throwable t) {
      notices.failed(point, t);
    }
  }

  private FrameworkSide find() throws Exception {
    FrameworkSide found = search.find();
    told = found == null ? Hook::tellNobody : found;
    return told;
  }

  private static void tellNobody(HookPoint point, Object[] call, Throwable thrown) {}
}
