package dev.waymark.cli.run;

import java.util.List;

/** A TrainJob that can't run on this machine as it would in a cluster, or that is wrong anyway. */
public final class RefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient List<String> reasons;

  RefusedException(List<String> reasons) {
    super(String.join("; ", reasons));
    this.reasons = List.copyOf(reasons);
  }

  /** All of them, each a sentence that says where and what would be right. */
  public List<String> reasons() {
    return reasons;
  }
}
