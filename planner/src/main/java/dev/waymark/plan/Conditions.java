package dev.waymark.plan;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A list of conditions, one a type, in the order in which they first came. A value. */
record Conditions(List<Condition> all) {

  private static final String TRUE = "True";
  private static final String FALSE = "False";

  Conditions {
    all = all == null ? List.of() : List.copyOf(all);
  }

  Optional<Condition> get(String type) {
    return all.stream().filter(it -> type.equals(it.getType())).findFirst();
  }

  boolean isTrue(String type) {
    return get(type).filter(it -> TRUE.equals(it.getStatus())).isPresent();
  }

  boolean isFalse(String type) {
    return get(type).filter(it -> FALSE.equals(it.getStatus())).isPresent();
  }

  /** Sets a condition; its time changes only with its status. */
  Conditions with(String type, boolean holds, String reason, String message, Instant now) {
    return with(
        new ConditionBuilder()
            .withType(type)
            .withStatus(holds ? TRUE : FALSE)
            .withReason(reason)
            .withMessage(message)
            .withLastTransitionTime(now.truncatedTo(ChronoUnit.SECONDS).toString())
            .build());
  }

  /** Sets a condition of elsewhere under a type of here, with its own time. */
  Conditions copied(Condition condition, String type) {
    return with(
        new ConditionBuilder()
            .withType(type)
            .withStatus(condition.getStatus())
            .withReason(condition.getReason())
            .withMessage(condition.getMessage())
            .withLastTransitionTime(condition.getLastTransitionTime())
            .build());
  }

  private Conditions with(Condition condition) {
    Condition next =
        get(condition.getType())
            .filter(old -> Objects.equals(old.getStatus(), condition.getStatus()))
            .map(
                old ->
                    new ConditionBuilder(condition)
                        .withLastTransitionTime(old.getLastTransitionTime())
                        .withObservedGeneration(old.getObservedGeneration())
                        .build())
            .orElse(condition);
    List<Condition> changed = new ArrayList<>(all);
    ContainerEdits.upsert(changed, next, old -> condition.getType().equals(old.getType()));
    return new Conditions(changed);
  }
}
