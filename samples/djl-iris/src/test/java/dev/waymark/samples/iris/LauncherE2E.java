package dev.waymark.samples.iris;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waymark.samples.testing.FreshClone;
import dev.waymark.samples.testing.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The README's first command for somebody who has just cloned the project, with a real Maven. What
 * the launcher builds when is told by the table of its own test, with one that makes empty jars.
 */
class LauncherE2E {
  private static final String COMMAND =
      "run samples/djl-iris/trainjob.yaml samples/djl-iris/runtime.yaml";

  @TempDir Path folder;

  @BeforeEach
  void needsMaven() {
    assumeTrue(FreshClone.isBuildable(), "mvn is not on the PATH, and no Maven runs this test");
  }

  @Test
  void theFirstCommandBuildsWhatIsMissingAndTrains() throws Exception {
    assertThat(Files.readString(Path.of("../../README.md"))).contains("\n    ./waymark " + COMMAND);
    FreshClone clone = FreshClone.in(folder);
    clone.edit(
        "samples/djl-iris/trainjob.yaml", "args: [easytrain]", "args: [easytrain, --epochs, '60']");

    Outcome first = clone.waymark(COMMAND.split(" "));
    assertThat(first.exitCode()).as(first.toString()).isZero();
    assertThat(first.errors())
        .contains("[waymark] building cli,agent,samples/djl-iris (once")
        .contains("[waymark] completed, ");
    assertThat(first.output()).contains("Accuracy on the 30 rows held out: ");

    // What comes out of the build is the same as before, and Maven leaves such a jar alone.
    clone.touch("djl-listener/src/main/java/dev/waymark/djl/StepCount.java");
    assertThat(clone.waymark("run", "--", "true").errors())
        .contains("[waymark] building agent (once");
    assertThat(clone.waymark("run", "--", "true").errors()).doesNotContain("building");
  }
}
