package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CredentialFolderTest {

  private CredentialFolder folder;

  @BeforeEach
  void create() throws IOException {
    folder = CredentialFolder.create("the CA", "token 0");
  }

  @AfterEach
  void delete() {
    folder.close();
  }

  @Test
  void holdsTheNewestTokenAndTheCa() throws IOException {
    folder.replaceToken("token 1");
    folder.replaceToken("token 2");

    assertThat(folder.token()).hasContent("token 2");
    assertThat(folder.caCertificate()).hasContent("the CA");
    try (Stream<Path> entries = Files.list(folder.token().getParent())) {
      assertThat(entries).as("token, ca.crt, ..data and two generations").hasSize(5);
    }
  }

  @Test
  void aReaderNeverMeetsAHalfWrittenOrMissingFile() throws Exception {
    int exchanges = 200;
    Semaphore reads = new Semaphore(0);
    CompletableFuture<Void> reader =
        CompletableFuture.runAsync(
            () -> {
              String last = "token " + (exchanges - 1);
              for (String read = ""; !read.equals(last); reads.release()) {
                read = read(folder.token());
                assertThat(read).matches("token \\d+");
              }
            });
    for (int i = 0; i < exchanges; i++) {
      folder.replaceToken("token " + i);
      // So that no read lasts longer than one exchange, as it is with minutes between two.
      assertThat(reads.tryAcquire(10, TimeUnit.SECONDS) || reader.isDone()).isTrue();
      reads.drainPermits();
    }

    assertThat(reader).succeedsWithin(Duration.ofSeconds(10));
  }

  @Test
  void isGoneWhenClosed() {
    Path directory = folder.token().getParent();
    folder.close();

    assertThat(directory).doesNotExist();
  }

  @Test
  void sweepsWhatKilledProcessesLeft(@TempDir Path parent) throws Exception {
    Process gone = new ProcessBuilder("true").start();
    gone.waitFor();
    String dead = "waymark-" + gone.pid() + "-1";
    String living = "waymark-" + ProcessHandle.current().pid() + "-2";
    for (String name : List.of(dead, living, "waymark-mine", "other-" + gone.pid() + "-3")) {
      Files.createFile(Files.createDirectory(parent.resolve(name)).resolve("token"));
    }

    CredentialFolder.sweep(parent, Files.getOwner(parent), Instant.now());
    assertThat(parent.resolve(dead)).as("written to within the hour").exists();

    CredentialFolder.sweep(parent, Files.getOwner(parent), Instant.now().plusSeconds(7_200));
    assertThat(parent.resolve(dead)).doesNotExist();
    try (Stream<Path> rest = Files.list(parent)) {
      assertThat(rest).hasSize(3);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError("can't be read during an exchange", e);
    }
  }
}
