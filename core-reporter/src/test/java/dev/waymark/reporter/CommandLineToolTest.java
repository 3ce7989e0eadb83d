package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CommandLineToolTest {
  @TempDir Path folder;

  @Test
  void runsTheProgramAndReturnsAllItPrinted() throws IOException {
    CommandLineTool tool = script(folder, "tool", "echo out $1 $2 $LC_ALL; echo err >&2; exit 3");

    assertThat(tool.run("a", "b")).isEqualTo("out a b C\nerr\n");
  }

  @Test
  void theProgramHasNoInput() throws IOException {
    assertThat(script(folder, "tool", "cat; echo end").run()).isEqualTo("end\n");
  }

  @Test
  void aProgramThatHangsIsDestroyedWithItsChildren() throws IOException {
    CommandLineTool tool =
        tool("tool", "sleep 600 & echo $! > " + folder + "/child; wait", Duration.ofMillis(500));

    long start = System.nanoTime();
    assertThatThrownBy(tool::run)
        .isInstanceOf(IOException.class)
        .hasMessage("no end within 500 ms");

    assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(5));
    long child = Long.parseLong(Files.readString(folder.resolve("child")).trim());
    // One that has ended, but that no init has asked for yet, has no command any more.
    await().until(() -> ProcessHandle.of(child).flatMap(p -> p.info().command()).isEmpty());
  }

  @Test
  void aProgramThatPrintsMoreThanAPipeHoldsIsDestroyed() throws IOException {
    CommandLineTool tool =
        tool("tool", "while true; do echo 0123456789; done", Duration.ofMillis(500));

    assertThatThrownBy(tool::run).hasMessageContaining("no end within");
  }

  @Test
  void aProgramThatIsGoneIsAnError() throws IOException {
    CommandLineTool tool = script(folder, "tool", "");
    Files.delete(folder.resolve("tool"));

    assertThatThrownBy(tool::run).isInstanceOf(IOException.class);
  }

  @Test
  void anInterruptEndsTheWaiting() throws IOException {
    CommandLineTool tool = script(folder, "tool", "sleep 600");

    Thread.currentThread().interrupt();

    assertThatThrownBy(tool::run).hasMessage("interrupted");
    assertThat(Thread.interrupted())
        .as("still interrupted, so that what comes next is cut too")
        .isTrue();
  }

  @Test
  void findsTheFirstExecutableFileOnThePath() throws IOException {
    Path first = Files.createDirectory(folder.resolve("first"));
    Path second = Files.createDirectory(folder.resolve("second"));
    Files.writeString(first.resolve("tool"), "not executable");
    Files.createDirectory(first.resolve("folder"));
    script(second, "tool", "echo second");
    String path =
        String.join(
            File.pathSeparator, "", ".", "bad\0folder", "/no/such", first + "", second + "");

    assertThat(CommandLineTool.find("tool", path).run()).isEqualTo("second\n");
    assertThat(CommandLineTool.find("folder", path)).isNull();
    assertThat(CommandLineTool.find("other", path)).isNull();
    assertThat(CommandLineTool.find("tool", "")).isNull();
    assertThat(CommandLineTool.find("tool", null)).isNull();
  }

  @Test
  void aRelativeFolderOnThePathIsIgnored() throws IOException {
    Path relative = Files.createTempDirectory(Path.of("target"), "tool");
    script(relative, "tool", "echo relative");

    assertThat(CommandLineTool.find("tool", relative.toString())).isNull();
  }

  /** A tool that is a shell script, with an ample limit. */
  static CommandLineTool script(Path folder, String name, String body) throws IOException {
    return new CommandLineTool(write(folder, name, body), Duration.ofSeconds(20));
  }

  private CommandLineTool tool(String name, String body, Duration limit) throws IOException {
    return new CommandLineTool(write(folder, name, body), limit);
  }

  private static Path write(Path folder, String name, String body) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file.toAbsolutePath();
  }
}
