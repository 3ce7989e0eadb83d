package dev.waymark.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.controller.webhook.Decision.Allowed;
import dev.waymark.controller.webhook.Decision.Denied;
import dev.waymark.plan.Refusal;
import dev.waymark.plan.Refusal.Kind;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RefusalsTest {

  private static final List<String> WARNINGS = List.of("old");

  @ParameterizedTest
  @MethodSource
  void saysWhatUpstreamSaysToo(List<Refusal> refusals, Decision decision) {
    assertThat(Refusals.decide(refusals, WARNINGS)).isEqualTo(decision);
  }

  static Stream<Arguments> saysWhatUpstreamSaysToo() {
    Refusal forbidden = new Refusal("TrainJob demo", Kind.FORBIDDEN, "spec.a", "no");
    Refusal invalid = new Refusal("TrainJob demo", Kind.INVALID, "spec.b", "never");
    return Stream.of(
        Arguments.of(List.of(), new Allowed(null, WARNINGS)),
        Arguments.of(List.of(forbidden), new Denied(403, "Forbidden", "spec.a: no", WARNINGS)),
        Arguments.of(List.of(invalid), new Denied(422, "Invalid", "spec.b: never", WARNINGS)),
        Arguments.of(
            List.of(forbidden, invalid),
            new Denied(403, "Forbidden", "[spec.a: no, spec.b: never]", WARNINGS)));
  }
}
