package dev.waymark.controller.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.status.tls.CertificateAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateFolderTest {

  private static final Instant NOW = Instant.now();

  @TempDir private Path home;

  private boolean authoritiesNeeded = true;
  private final PublishedCertificates published = new PublishedCertificates();
  private final AtomicInteger changes = new AtomicInteger();
  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

  @AfterEach
  void end() {
    executor.shutdownNow();
  }

  @Test
  void showsWhatTheFilesHoldAndFollowsASwapOfTheFolder() throws IOException {
    StoredCertificates one = certificates("one");
    StoredCertificates two = certificates("two");
    // A kubelet keeps each state in a folder of its own, and moves one link.
    Path link = home.resolve("certs");
    Files.createSymbolicLink(link, write("a", one.toPem()));
    CertificateFolder folder = folder(link);

    folder.look();
    assertThat(published.server().current()).contains(one.server());
    assertThat(published.authorities()).contains(one.toPem().get("ca.crt"));
    assertThat(changes).hasValue(1);

    Path next = home.resolve("next");
    Files.createSymbolicLink(next, write("b", two.toPem()));
    Files.move(next, link, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    folder.look();
    folder.look();
    assertThat(published.server().current()).contains(two.server());
    assertThat(published.authorities()).contains(two.toPem().get("ca.crt"));
    assertThat(changes).hasValue(2);
    assertThat(folder.problem()).isEmpty();
  }

  @Test
  void saysWhatIsMissingUntilItComes() throws IOException {
    Path certs = home.resolve("certs");
    CertificateFolder folder = folder(certs);

    folder.look();
    assertThat(published.server().current()).isEmpty();
    assertThat(folder.problem()).get().asString().contains(certs.toString(), "tls.crt", "tls.key");

    write("certs", certificates("late").toPem());
    folder.look();
    assertThat(published.server().current()).isPresent();
    assertThat(folder.problem()).isEmpty();
  }

  @Test
  void keepsWhatItHasWhileFilesDoNotBelongTogether() throws IOException {
    StoredCertificates one = certificates("one");
    StoredCertificates two = certificates("two");
    CertificateFolder folder = folder(write("certs", one.toPem()));
    folder.look();

    write("certs", Map.of("tls.crt", two.toPem().get("tls.crt")));
    folder.look();
    assertThat(published.server().current()).contains(one.server());
    assertThat(folder.problem()).as("it still serves").isEmpty();

    write("certs", two.toPem());
    folder.look();
    assertThat(published.server().current()).contains(two.server());
  }

  /** Without them nobody could tell pods whom to trust, and every TrainJob would fail. */
  @ParameterizedTest(name = "ca.crt is {0}")
  @NullSource
  @ValueSource(strings = {"", "no certificate"})
  void saysThatAuthoritiesAreMissingUntilTheyCome(String damaged) throws IOException {
    Map<String, String> files = new HashMap<>(certificates("one").toPem());
    String good = files.remove("ca.crt");
    if (damaged != null) {
      files.put("ca.crt", damaged);
    }
    CertificateFolder folder = folder(write("certs", files));

    folder.look();
    folder.look();
    assertThat(published.server().current()).as("it serves all the same").isPresent();
    assertThat(published.authorities()).isEmpty();
    assertThat(changes).hasValue(0);
    assertThat(folder.problem())
        .get()
        .asString()
        .contains(home.resolve("certs/ca.crt").toString(), "no TrainJob can be served");

    write("certs", Map.of("ca.crt", good));
    folder.look();
    assertThat(folder.problem()).isEmpty();
    assertThat(published.authorities()).contains(good);
  }

  @Test
  void servesWithoutAuthoritiesWherePodsNeedNone() throws IOException {
    authoritiesNeeded = false;
    Map<String, String> files = new HashMap<>(certificates("one").toPem());
    files.remove("ca.crt");
    CertificateFolder folder = folder(write("certs", files));

    folder.look();

    assertThat(published.server().current()).isPresent();
    assertThat(folder.problem()).isEmpty();
  }

  private CertificateFolder folder(Path path) {
    published.onAuthoritiesChanged(changes::incrementAndGet);
    return new CertificateFolder(path, authoritiesNeeded, published, executor);
  }

  private Path write(String name, Map<String, String> files) throws IOException {
    Path folder = Files.createDirectories(home.resolve(name));
    for (Map.Entry<String, String> file : files.entrySet()) {
      Files.writeString(folder.resolve(file.getKey()), file.getValue());
    }
    return folder;
  }

  private static StoredCertificates certificates(String name) {
    CertificateAuthority authority =
        CertificateAuthority.create("CN=" + name, Duration.ofDays(10), NOW);
    return new StoredCertificates(
        List.of(authority.certificate()),
        authority,
        authority.issue(List.of(name + ".svc"), Duration.ofDays(5), NOW));
  }
}
