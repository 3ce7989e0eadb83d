package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrustedCertificatesTest {
  private static final TestCa ONE = new TestCa("one");
  private static final TestCa TWO = new TestCa("two");

  @TempDir Path folder;

  @Test
  void allCertificatesOfABundleAreRead() throws IOException {
    Path file = TestCa.write(folder.resolve("ca.crt"), ONE, TWO);

    assertThat(TrustedCertificates.parse(file, Files.readString(file)))
        .containsExactly(ONE.certificate(), TWO.certificate());
  }

  @Test
  void textAroundTheCertificatesAndWindowsLineEndsAreIgnored() throws IOException {
    String pem = "Bag - Attributes -----\n" + TestCa.pem(ONE.certificate()) + "trailing\n";

    assertThat(TrustedCertificates.parse(folder, pem.replace("\n", "\r\n")))
        .containsExactly(ONE.certificate());
  }

  @Test
  void theContextLivesUntilTheFileChanges() throws IOException {
    Path file = TestCa.write(folder.resolve("ca.crt"), ONE);
    TrustedCertificates trusted = new TrustedCertificates(file);
    SSLContext first = trusted.context();
    assertThat(trusted.context()).isSameAs(first);

    TestCa.write(file, ONE, TWO);

    SSLContext second = trusted.context();
    assertThat(second).isNotSameAs(first);
    assertThat(trusted.context()).isSameAs(second);
  }

  @Test
  void aFileWrittenAnewWithTheSameCertificatesKeepsTheContextAndItsSessions() throws IOException {
    Path file = TestCa.write(folder.resolve("ca.crt"), ONE);
    TrustedCertificates trusted = new TrustedCertificates(file);
    SSLContext first = trusted.context();

    Files.setLastModifiedTime(file, FileTime.fromMillis(1));

    assertThat(trusted.context()).isSameAs(first);
  }

  @Test
  void anotherFileOfTheSameTimeAndSizeIsSeen() throws IOException {
    Path file = Files.writeString(folder.resolve("a"), "same");
    Path other = Files.writeString(folder.resolve("b"), "same");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1000));
    Files.setLastModifiedTime(other, FileTime.fromMillis(1000));

    assertThat(FileStamp.of(file))
        .isEqualTo(FileStamp.of(file))
        .hasSameHashCodeAs(FileStamp.of(file))
        .isNotEqualTo(FileStamp.of(other))
        .isNotEqualTo("something else");

    FileStamp before = FileStamp.of(file);
    Files.setLastModifiedTime(file, FileTime.fromMillis(2000));
    assertThat(FileStamp.of(file)).isNotEqualTo(before);
    Files.writeString(file, "longer");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1000));
    assertThat(FileStamp.of(file)).isNotEqualTo(before);
  }

  @Test
  void reloadReadsAFileThatLooksUnchanged() throws IOException {
    Path file = TestCa.write(folder.resolve("ca.crt"), ONE, TWO);
    FileTime time = Files.getLastModifiedTime(file);
    TrustedCertificates trusted = new TrustedCertificates(file);
    SSLContext first = trusted.context();
    assertThat(trusted.reload()).isFalse();

    TestCa.write(file, TWO, ONE);
    Files.setLastModifiedTime(file, time);
    assertThat(trusted.context()).isSameAs(first);

    assertThat(trusted.reload()).isTrue();
    assertThat(trusted.context()).isNotSameAs(first);
  }

  @Test
  void aBundleThatBreaksLeavesTheFormerOneInForce() throws IOException {
    Path file = TestCa.write(folder.resolve("ca.crt"), ONE);
    TrustedCertificates trusted = new TrustedCertificates(file);
    SSLContext first = trusted.context();

    Files.writeString(file, "half written");
    assertThat(trusted.context()).isSameAs(first);
    assertThat(trusted.reload()).isFalse();
    Files.delete(file);
    assertThat(trusted.context()).isSameAs(first);

    TestCa.write(file, TWO);
    assertThat(trusted.context()).isNotSameAs(first);
  }

  @Test
  void withoutABundleTheJvmsTrustStoreCounts() throws IOException {
    TrustedCertificates trusted = new TrustedCertificates(null);

    assertThat(trusted.context()).isSameAs(trusted.context());
    assertThat(trusted.reload()).isFalse();
  }

  @Test
  void whatIsWrongIsSaidWithTheFilesName() throws IOException {
    String damaged = TestCa.pem(TWO.certificate()).replaceFirst("M", "A");

    assertProblem(folder.resolve("absent"), "does not exist");
    assertProblem(Files.writeString(folder.resolve("empty"), ""), "holds no PEM certificate");
    assertProblem(
        Files.writeString(folder.resolve("bad"), TestCa.pem(ONE.certificate()) + damaged),
        "certificate 2 in the CA file");
    assertProblem(
        Files.writeString(
            folder.resolve("odd"), "-----BEGIN CERTIFICATE-----\nA\n-----END CERTIFICATE-----\n"),
        "certificate 1 in the CA file");
  }

  private static void assertProblem(Path file, String problem) {
    assertThatThrownBy(() -> new TrustedCertificates(file).context())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the CA file " + file)
        .hasMessageContaining(problem);
  }
}
