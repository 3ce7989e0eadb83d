package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError("can't be read during an exchange", e);
    }
  }
}
