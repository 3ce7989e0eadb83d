package dev.waymark.testbed;

import java.nio.file.Path;

/** A command that {@code testbed/build} builds; tests that run one are {@link NeedsTestbed}. */
public enum Tool {
  HELM("helm"),
  KUBECTL("kubectl");

  private final String file;

  Tool(String file) {
    this.file = file;
  }

  /** Where it is. */
  public Path path() {
    String home = System.getenv("TESTBED_HOME");
    Path folder =
        home == null || home.isEmpty()
            ? Path.of(System.getenv("HOME"), ".cache", "waymark-testbed")
            : Path.of(home);
    return folder.resolve("bin").resolve(file);
  }
}
