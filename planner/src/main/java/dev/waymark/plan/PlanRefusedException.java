package dev.waymark.plan;

import java.util.List;
import java.util.stream.Collectors;

/** A TrainJob that can't be planned as it is; says everything that was found. */
public final class PlanRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<Refusal> refusals;

  PlanRefusedException(List<Refusal> refusals) {
    super(refusals.stream().map(Refusal::toString).collect(Collectors.joining("\n")));
    this.refusals = List.copyOf(refusals);
  }

  /** At least one. */
  public List<Refusal> refusals() {
    return refusals;
  }
}
