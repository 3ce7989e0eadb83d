package dev.waymark.cli.run;

import dev.waymark.plan.PlanWarning;
import java.util.List;
import java.util.stream.Stream;

/**
 * Decides what becomes of the parts of a TrainJob that a machine without a cluster can't honour.
 *
 * <p>The rule: what changes what the program computes or reads is refused, for a result under the
 * TrainJob's name would be another result; what only bounds, places, watches or protects the
 * program is a warning. Nothing is left out in silence but names, labels and ports, which mean
 * nothing to a process. {@link LocalRefusals} and {@link LocalWarnings} are the rule's application.
 */
final class LocalRules {

  /** All that was found, as sentences for the user. */
  record Findings(List<String> refusals, List<String> warnings) {}

  private LocalRules() {}

  static Findings judge(LocalSubject subject) {
    Stream<String> ofThePlan = subject.plan().warnings().stream().map(PlanWarning::message);
    return new Findings(
        LocalRefusals.of(subject).toList(),
        Stream.concat(ofThePlan, LocalWarnings.of(subject)).toList());
  }
}
