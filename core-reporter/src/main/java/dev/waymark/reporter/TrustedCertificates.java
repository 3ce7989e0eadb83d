package dev.waymark.reporter;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Whom the client trusts: all certificates of a PEM bundle, or, without a bundle, the JVM's default
 * trust store. The bundle is read again when its file changes, since certificates are renewed while
 * a job runs. Nobody else is trusted, whatever goes wrong.
 *
 * <p>With a bundle the default trust store, some hundred certificates, is never loaded.
 */
final class TrustedCertificates {
  private static final int MAX_BYTES = 1024 * 1024;

  private static final Pattern PEM_CERTIFICATE =
      Pattern.compile("-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----");

  private final Path bundle;
  private FileStamp stamp;
  private List<Certificate> certificates = List.of();
  private SSLContext context;

  /**
   * @param bundle a PEM file; null for the JVM's default trust store
   */
  TrustedCertificates(Path bundle) {
    this.bundle = bundle;
  }

  /**
   * The TLS context for new connections; the same object, with its cache of TLS sessions, until the
   * bundle changes. A bundle that can't be read just now leaves the former one in force.
   *
   * @throws IOException whose message says what is wrong with the bundle
   */
  synchronized SSLContext context() throws IOException {
    try {
      if (context == null || (bundle != null && !FileStamp.of(bundle).equals(stamp))) {
        load();
      }
    } catch (IOException e) {
      if (context == null) {
        throw Files.exists(bundle) ? e : missing(e);
      }
    }
    return context;
  }

  /**
   * Reads the bundle again, even if its file looks unchanged: for use after a refused handshake.
   *
   * @return whether its certificates are others now
   */
  synchronized boolean reload() {
    SSLContext before = context;
    try {
      if (bundle != null) {
        load();
      }
    } catch (IOException e) {
      // The former certificates stay in force.
    }
    return context != before;
  }

  private void load() throws IOException {
    FileStamp read = null;
    List<Certificate> found = List.of();
    if (bundle != null) {
      read = FileStamp.of(bundle); // before the content: a change in between is seen next time
      found = parse(bundle, readBundle());
    }
    if (context == null || !found.equals(certificates)) {
      context = contextTrusting(found);
      certificates = found;
    }
    stamp = read;
  }

  private String readBundle() throws IOException {
    try (InputStream in = Files.newInputStream(bundle)) {
      return new String(in.readNBytes(MAX_BYTES), StandardCharsets.ISO_8859_1);
    }
  }

  private IOException missing(IOException cause) {
    return new IOException("the CA file " + bundle + " does not exist", cause);
  }

  /** All certificates of a PEM text; text between them is ignored (RFC 7468 section 2). */
  static List<Certificate> parse(Path file, String pem) throws IOException {
    List<Certificate> found = new ArrayList<>();
    try {
      CertificateFactory x509 = CertificateFactory.getInstance("X.509");
      for (Matcher m = PEM_CERTIFICATE.matcher(pem); m.find(); ) {
        byte[] der = Base64.getMimeDecoder().decode(m.group(1));
        found.add(x509.generateCertificate(new ByteArrayInputStream(der)));
      }
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      int ordinal = found.size() + 1;
      throw new IOException(
          "certificate " + ordinal + " in the CA file " + file + " is damaged", e);
    }
    if (found.isEmpty()) {
      throw new IOException("the CA file " + file + " holds no PEM certificate");
    }
    return found;
  }

  private SSLContext contextTrusting(List<Certificate> anchors) throws IOException {
    try {
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(null, bundle == null ? null : trustManagers(anchors).getTrustManagers(), null);
      return tls;
    } catch (GeneralSecurityException e) {
      throw new IOException("this Java runtime offers no TLS: " + e.getMessage(), e);
    }
  }

  private static TrustManagerFactory trustManagers(List<Certificate> anchors)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (int i = 0; i < anchors.size(); i++) {
      store.setCertificateEntry("ca-" + i, anchors.get(i));
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory;
  }
}
