package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenFileTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"ey.J-_.x", "ey.J-_.x\n", "\n  ey.J-_.x \r\n"})
  void theTokenIsTheTextWithoutSurroundingBlanks(String content) throws IOException {
    Path file = Files.writeString(folder.resolve("token"), content);

    assertThat(new TokenFile(file).read()).isEqualTo("ey.J-_.x");
  }

  @Test
  void aRenewedTokenIsSeenAtOnce() throws IOException {
    Path file = Files.writeString(folder.resolve("token"), "one");
    TokenFile token = new TokenFile(file);
    assertThat(token.read()).isEqualTo("one");

    FileTime before = Files.getLastModifiedTime(file);
    Files.writeString(file, "two");
    Files.setLastModifiedTime(file, before);

    assertThat(token.read()).isEqualTo("two");
  }

  @Test
  void aTokenBehindKubernetesSwappedSymlinkIsSeenAtOnce() throws IOException {
    Path one = Files.createDirectory(folder.resolve("..2026_one"));
    Path two = Files.createDirectory(folder.resolve("..2026_two"));
    Files.writeString(one.resolve("token"), "one");
    Files.writeString(two.resolve("token"), "two");
    Path data = Files.createSymbolicLink(folder.resolve("..data"), one.getFileName());
    Path file =
        Files.createSymbolicLink(folder.resolve("token"), folder.relativize(data.resolve("token")));
    TokenFile token = new TokenFile(file);
    assertThat(token.read()).isEqualTo("one");

    Path next = Files.createSymbolicLink(folder.resolve("..data_tmp"), two.getFileName());
    Files.move(next, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);

    assertThat(token.read()).isEqualTo("two");
  }

  @Test
  void whatIsWrongIsSaidWithTheFilesName() throws IOException {
    assertProblem(folder.resolve("absent"), "does not exist");
    assertProblem(folder, "is no regular file");
    assertProblem(Files.writeString(folder.resolve("empty"), " \n"), "is empty");
    assertProblem(Files.writeString(folder.resolve("two"), "a\nX-Evil: b"), "more than one token");
    assertProblem(Files.writeString(folder.resolve("odd"), "a\u007fb"), "more than one token");
    assertProblem(Files.writeString(folder.resolve("large"), "x".repeat(16 * 1024 + 1)), "16 KiB");
    assertThat(
            new TokenFile(Files.writeString(folder.resolve("max"), "x".repeat(16 * 1024))).read())
        .hasSize(16 * 1024);
  }

  private static void assertProblem(Path file, String problem) {
    assertThatThrownBy(() -> new TokenFile(file).read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the token file " + file)
        .hasMessageContaining(problem);
  }
}
