package dev.waymark.agent.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The home of a java command that prints what a real one prints on a machine with GPUs. */
final class FakeJvm {
  private FakeJvm() {}

  /** Under JAVA_TOOL_OPTIONS a JVM prints a banner on standard error before anything else. */
  static Path printing(Path folder, String answer) throws IOException {
    Path bin = Files.createDirectories(folder.resolve("fake/bin"));
    Path java = bin.resolve("java");
    Files.writeString(
        java,
        "#!/bin/sh\n"
            + "echo 'Picked up JAVA_TOOL_OPTIONS: -javaagent:/agent.jar=a,b' >&2\n"
            + ("echo '" + answer + "'\n"));
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
    return bin.getParent();
  }
}
