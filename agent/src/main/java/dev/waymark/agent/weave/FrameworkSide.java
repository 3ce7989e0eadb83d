package dev.waymark.agent.weave;

/**
 * The part of the agent that is compiled against a framework: says what is told at each hook point.
 * One class for all its points, which real iterations find in the caches rather than a class for
 * each.
 */
public interface FrameworkSide {
  /**
   * The program has come to a hook point.
   *
   * @param call the call's arguments, the receiver first
   * @param thrown what it has thrown; null if nothing
   */
  void at(HookPoint point, Object[] call, Throwable thrown);
}
