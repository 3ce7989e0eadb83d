package dev.waymark.controller.certificates;

import java.util.Optional;

/** Where certificates come from. Keeps {@link PublishedCertificates} up to date while it runs. */
interface CertificateSource extends AutoCloseable {

  /** Begins; comes back without waiting for a first certificate. */
  void start();

  /** What keeps it from its work, beside that there may be no certificate; empty when nothing. */
  Optional<String> problem();

  @Override
  void close();
}
