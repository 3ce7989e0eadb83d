package dev.waymark.cli.run;

import java.util.List;

/** A TrainJob that can't run on this machine as it would in a cluster, or that is wrong anyway. */
public final class RefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient List<String> reasons;
  private final transient List<String> warnings;

  RefusedException(List<String> reasons) {
    this(reasons, List.of());
  }

  RefusedException(List<String> reasons, List<String> warnings) {
    super(String.join("; ", reasons));
    this.reasons = List.copyOf(reasons);
    this.warnings = List.copyOf(warnings);
  }

  /** All of them, each a sentence that says where and what would be right. */
  public List<String> reasons() {
    return reasons;
  }

  /** What is odd in the files, and may be what led to the reasons: a field with a typing error. */
  public List<String> warnings() {
    return warnings;
  }
}
