package dev.waymark.controller.certificates;

import dev.waymark.controller.Component;
import dev.waymark.status.ServerCertificate;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.X509ExtendedKeyManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The serving certificate in the files {@code tls.crt} and {@code tls.key} of a folder, read again
 * when they change: whoever writes them (a mounted Secret, somebody's own tool) needs no restart of
 * the controller.
 */
public final class CertificateFiles implements Component {

  private static final Logger log = LoggerFactory.getLogger(CertificateFiles.class);

  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration START_INTERVAL = Duration.ofMillis(100);

  private final Path folder;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "certificate-files");
            thread.setDaemon(true);
            return thread;
          });

  private volatile ServerCertificate certificate;
  private volatile X509Certificate leaf;
  private volatile String problem = "the serving certificate has not been read yet";
  private byte[] read = new byte[0];

  /** Reads nothing yet. */
  public CertificateFiles(Path folder) {
    this.folder = folder;
  }

  @Override
  public String name() {
    return "certificates";
  }

  /** Waits until the files are there, which on a first start takes as long as others need. */
  @Override
  public void start() throws IOException, InterruptedException {
    Instant limit = Instant.now().plus(START_LIMIT);
    refresh();
    while (certificate == null) {
      if (Instant.now().isAfter(limit)) {
        throw new IOException(problem);
      }
      Thread.sleep(START_INTERVAL.toMillis());
      refresh();
    }
    executor.scheduleWithFixedDelay(
        this::refresh, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** What servers show; there once {@link #start()} has returned. */
  public X509ExtendedKeyManager keyManager() {
    return certificate;
  }

  private void refresh() {
    try {
      byte[] chain = Files.readAllBytes(folder.resolve("tls.crt"));
      byte[] key = Files.readAllBytes(folder.resolve("tls.key"));
      byte[] now = digest(chain, key);
      if (!Arrays.equals(now, read)) {
        show(PemFiles.privateKey(key), chain(chain));
        read = now;
      }
      problem = null;
    } catch (IOException | GeneralSecurityException e) {
      String found = "no serving certificate in " + folder + ": " + e;
      if (!found.equals(problem)) {
        log.warn("{}", found);
      }
      // One that was read before stays good.
      problem = certificate == null ? found : null;
    }
  }

  private static List<X509Certificate> chain(byte[] pem) throws GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(pem))
        .stream()
        .map(X509Certificate.class::cast)
        .toList();
  }

  private void show(PrivateKey key, List<X509Certificate> chain) throws GeneralSecurityException {
    if (chain.isEmpty()) {
      throw new GeneralSecurityException("tls.crt holds no certificate");
    }
    PemFiles.checkPair(key, chain.get(0).getPublicKey());
    if (certificate == null) {
      certificate = new ServerCertificate(key, chain);
    } else {
      certificate.replace(key, chain);
    }
    leaf = chain.get(0);
    log.info(
        "The servers show a certificate that is good until {}", leaf.getNotAfter().toInstant());
  }

  private static byte[] digest(byte[]... parts) throws GeneralSecurityException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (byte[] part : parts) {
      digest.update(part);
      digest.update((byte) 0);
    }
    return digest.digest();
  }

  @Override
  public Optional<String> notReady() {
    X509Certificate shown = leaf;
    if (problem == null
        && shown != null
        && Instant.now().isAfter(shown.getNotAfter().toInstant())) {
      return Optional.of("the serving certificate ran out at " + shown.getNotAfter().toInstant());
    }
    return Optional.ofNullable(problem);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
