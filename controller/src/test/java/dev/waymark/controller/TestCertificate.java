package dev.waymark.controller;

import dev.waymark.status.tls.CertificateAuthority;
import dev.waymark.status.tls.Pem;
import dev.waymark.status.tls.ServerIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * A server's certificate as the files that the controller reads.
 *
 * @param certificate the authority's, which clients have to trust
 */
public record TestCertificate(X509Certificate certificate, ServerIdentity server) {

  private static final Duration VALIDITY = Duration.ofHours(1);

  /**
   * Makes one with a new key, of a new authority.
   *
   * @param hosts names that it is for, beside 127.0.0.1
   */
  public static TestCertificate create(String... hosts) {
    Instant now = Instant.now();
    CertificateAuthority authority = CertificateAuthority.create("CN=waymark test", VALIDITY, now);
    List<String> all = Stream.concat(Stream.of("127.0.0.1"), Stream.of(hosts)).toList();
    return new TestCertificate(authority.certificate(), authority.issue(all, VALIDITY, now));
  }

  /** Writes tls.crt, tls.key and ca.crt into a folder. */
  public void writeTo(Path folder) throws IOException {
    Files.writeString(folder.resolve("tls.key"), Pem.of(server.key()));
    Files.writeString(folder.resolve("ca.crt"), Pem.of(List.of(certificate)));
    Files.writeString(folder.resolve("tls.crt"), Pem.of(server.chain()));
  }
}
