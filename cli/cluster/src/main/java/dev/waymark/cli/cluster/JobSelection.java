package dev.waymark.cli.cluster;

import dev.waymark.client.ListOptions;
import picocli.CommandLine.Option;

/** Which TrainJobs, where none is named. */
final class JobSelection {

  @Option(
      names = {"-A", "--all-namespaces"},
      description = "Of all namespaces.")
  private boolean allNamespaces;

  @Option(names = "--runtime", paramLabel = "NAME", description = "Only those of this runtime.")
  private String runtime;

  @Option(
      names = {"-l", "--selector"},
      paramLabel = "LABELS",
      description = "Only those with these labels: team=a,!test")
  private String selector;

  ListOptions options() {
    ListOptions options = ListOptions.standard().ofRuntime(runtime).withSelector(selector);
    return (allNamespaces ? options.ofAllNamespaces() : options).withoutRuntimes();
  }

  /** Whether anything was said. */
  boolean isGiven() {
    return allNamespaces || runtime != null || selector != null;
  }
}
