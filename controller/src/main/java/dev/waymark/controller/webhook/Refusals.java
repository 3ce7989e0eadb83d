package dev.waymark.controller.webhook;

import dev.waymark.plan.Refusal;
import java.util.List;

/** The planner's refusals as the decision of a webhook. */
final class Refusals {

  /** No if there is any refusal, else yes; with the same warnings. */
  static Decision decide(List<Refusal> refusals, List<String> warnings) {
    if (refusals.isEmpty()) {
      return new Decision.Allowed(null, warnings);
    }
    // What the schema refuses, a client would have been told of before it came to the webhook.
    Refusal.Kind kind =
        refusals.stream().allMatch(refusal -> refusal.kind() == Refusal.Kind.INVALID)
            ? Refusal.Kind.INVALID
            : Refusal.Kind.FORBIDDEN;
    String reason = kind == Refusal.Kind.INVALID ? "Invalid" : "Forbidden";
    List<String> texts =
        refusals.stream().map(refusal -> refusal.field() + ": " + refusal.message()).toList();
    return new Decision.Denied(kind.status(), reason, Texts.joined(texts), warnings);
  }

  private Refusals() {}
}
