package dev.waymark.controller.reconcile;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The authorities by which pods trust the status server. */
public interface TrustAnchors {

  /** Their certificates as PEM; empty while they are not known. */
  Optional<String> pem();

  /** Calls whenever they have changed. The listener does not wait. */
  void onChange(Runnable listener);

  /** Those that somebody else keeps. */
  static TrustAnchors of(Supplier<Optional<String>> pem, Consumer<Runnable> onChange) {
    return new TrustAnchors() {
      @Override
      public Optional<String> pem() {
        return pem.get();
      }

      @Override
      public void onChange(Runnable listener) {
        onChange.accept(listener);
      }
    };
  }
}
