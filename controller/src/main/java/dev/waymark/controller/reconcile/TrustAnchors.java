package dev.waymark.controller.reconcile;

import java.util.Optional;

/** The authorities by which pods trust the status server. */
public interface TrustAnchors {

  /** Their certificates as PEM; empty while they are not known. */
  Optional<String> pem();

  /** Calls whenever they have changed. The listener does not wait. */
  void onChange(Runnable listener);
}
