package dev.waymark.dl4j;

import dev.waymark.reporter.EndingExceptions;
import java.time.Duration;
import java.util.List;

/** By what a run is over whose end Deeplearning4j doesn't tell. */
final class UntoldEnd {
  /** So long after the last that was heard of it. */
  static final Duration QUIET = Duration.ofMinutes(1);

  /** Deeplearning4j throws nothing to end a training on purpose. */
  static final EndingExceptions ALL_ARE_FAILURES = EndingExceptions.of(List.of(), List.of());

  private UntoldEnd() {}
}
