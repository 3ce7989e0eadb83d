package dev.waymark.client;

/**
 * Which TrainJobs.
 *
 * @param allNamespaces whether of all namespaces
 * @param runtime only those that name this runtime, or null
 * @param selector only those with these labels, as kubectl writes it ({@code team=a,!test}); or
 *     null
 */
public record ListOptions(boolean allNamespaces, String runtime, String selector) {

  /** All of the namespace. */
  public static ListOptions standard() {
    return new ListOptions(false, null, null);
  }

  public ListOptions ofAllNamespaces() {
    return new ListOptions(true, runtime, selector);
  }

  public ListOptions ofRuntime(String runtime) {
    return new ListOptions(allNamespaces, runtime, selector);
  }

  public ListOptions withSelector(String selector) {
    return new ListOptions(allNamespaces, runtime, selector);
  }
}
