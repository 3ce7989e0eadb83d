package dev.waymark.client;

/**
 * Which TrainJobs.
 *
 * @param allNamespaces whether of all namespaces
 * @param runtime only those that name this runtime, or null
 * @param selector only those with these labels, as kubectl writes it ({@code team=a,!test}); or
 *     null
 * @param runtimesToo whether each comes with its runtime
 */
public record ListOptions(
    boolean allNamespaces, String runtime, String selector, boolean runtimesToo) {

  /** All of the namespace. */
  public static ListOptions standard() {
    return new ListOptions(false, null, null, true);
  }

  public ListOptions ofAllNamespaces() {
    return new ListOptions(true, runtime, selector, runtimesToo);
  }

  public ListOptions ofRuntime(String runtime) {
    return new ListOptions(allNamespaces, runtime, selector, runtimesToo);
  }

  public ListOptions withSelector(String selector) {
    return new ListOptions(allNamespaces, runtime, selector, runtimesToo);
  }

  /**
   * Reads runtimes only if a TrainJob leaves its nodes, or their device, to its own. That takes
   * half the calls; {@link Training#runtime} may then be null, and all else is the same.
   */
  public ListOptions withoutRuntimes() {
    return new ListOptions(allNamespaces, runtime, selector, false);
  }
}
