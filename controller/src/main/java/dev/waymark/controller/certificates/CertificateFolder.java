package dev.waymark.controller.certificates;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificates that somebody else keeps in files: tls.crt, tls.key, and ca.crt for those who
 * report. The files are looked at again and again, because a kubelet swaps a folder in ways that
 * watches of the JDK don't tell. Files that don't belong together (a swap in the middle of a look)
 * are taken the next time; until then, what was there before is shown.
 */
final class CertificateFolder implements CertificateSource {

  private static final Logger log = LoggerFactory.getLogger(CertificateFolder.class);

  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final List<String> FILES =
      List.of(
          StoredCertificates.CERTIFICATE,
          StoredCertificates.KEY,
          StoredCertificates.CA_CERTIFICATE);

  private final Path folder;
  private final boolean authoritiesNeeded;
  private final PublishedCertificates published;
  private final ScheduledExecutorService executor;

  private Map<String, String> seen;
  private volatile String problem;

  /**
   * Reads nothing yet.
   *
   * @param authoritiesNeeded whether pods are to trust the controller's servers, so that no
   *     TrainJob can become anything without ca.crt
   * @param executor looks at the files; is ended by {@link #close()}
   */
  CertificateFolder(
      Path folder,
      boolean authoritiesNeeded,
      PublishedCertificates published,
      ScheduledExecutorService executor) {
    this.folder = folder;
    this.authoritiesNeeded = authoritiesNeeded;
    this.published = published;
    this.executor = executor;
  }

  @Override
  public void start() {
    look();
    executor.scheduleWithFixedDelay(
        this::look, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Takes over what has changed. */
  synchronized void look() {
    try {
      Map<String, String> found = files();
      if (!found.equals(seen)) {
        take(found);
      }
    } catch (IOException | RuntimeException e) {
      report("can't read the certificate in " + folder + ": " + e);
    }
  }

  private void take(Map<String, String> found) {
    StoredCertificates certificates = StoredCertificates.read(found);
    if (certificates.server() == null) {
      report(
          "there is no certificate with its key in "
              + folder
              + ": tls.crt and tls.key should hold them as PEM");
      return;
    }
    published.publish(
        certificates.server(),
        certificates.authorities().isEmpty() ? null : found.get(StoredCertificates.CA_CERTIFICATE));
    seen = found;
    if (isWithoutAuthorities()) {
      report(
          "pods could not trust the status server, so no TrainJob can be served: "
              + folder.resolve(StoredCertificates.CA_CERTIFICATE)
              + " should hold the authorities that vouch for tls.crt, as PEM");
    } else {
      problem = null;
    }
  }

  private boolean isWithoutAuthorities() {
    return authoritiesNeeded && published.authorities().isEmpty();
  }

  private Map<String, String> files() throws IOException {
    Map<String, String> found = new HashMap<>();
    for (String name : FILES) {
      try {
        found.put(name, Files.readString(folder.resolve(name), StandardCharsets.ISO_8859_1));
      } catch (NoSuchFileException e) {
        // Told as a missing certificate, if it is one that matters.
      }
    }
    return found;
  }

  private void report(String what) {
    if (!what.equals(problem)) {
      log.warn("{}{}", Character.toUpperCase(what.charAt(0)), what.substring(1));
    }
    problem = what;
  }

  @Override
  public Optional<String> problem() {
    // What was there before goes on to serve.
    return published.server().current().isPresent() && !isWithoutAuthorities()
        ? Optional.empty()
        : Optional.ofNullable(problem);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
