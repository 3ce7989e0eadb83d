package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import io.fabric8.kubernetes.api.model.EnvVarSourceBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VariableExpansionTest {

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "``,``",
        "plain,plain",
        "$(A),a",
        "x$(A)y$(B)z,xaybz",
        "$(A)$(A),aa",
        "$(MISSING),$(MISSING)",
        "$(MISSING)$(A),$(MISSING)a",
        "$(EMPTY)|,|",
        "$(LOOKS_LIKE_REF),$(A)",
        "$$(A),$(A)",
        "$$$(A),$a",
        "$$$$(A),$$(A)",
        "$$$$$(A),$$a",
        "$$,$",
        "$$x,$x",
        "$,$",
        "a$,a$",
        "$A,$A",
        "$(A,$(A",
        "$($(A)),$($(A))",
        "$(A)),a)",
        "$(A)(B),a(B)",
        "($(A)),(a)",
        "$(),$()",
        "$ (A),$ (A)",
        "${A},${A}",
        "$(A) and $$(A),a and $(A)",
      })
  void expandsAsAKubeletDoes(String text, String expected) {
    Map<String, String> variables =
        Map.of("A", "a", "B", "b", "EMPTY", "", "LOOKS_LIKE_REF", "$(A)");

    assertThat(VariableExpansion.expand(text, variables)).isEqualTo(expected);
  }

  @Test
  void aVariableSeesOnlyThoseBeforeIt() {
    List<EnvVar> env =
        List.of(
            plain("EARLY", "$(LATE)"),
            plain("LATE", "1"),
            from("RANK", "metadata.annotations['index']"),
            plain("ALL", "$(LATE)-$(RANK)-$(ALL)"),
            plain("LATE", "2"),
            plain("AFTER", "$(LATE)"),
            new EnvVar("NO_VALUE", null, null),
            from("UNKNOWN", "status.podIP"));

    Map<String, String> values =
        VariableExpansion.environment(env, VariableExpansionTest::annotationsOnly);

    assertThat(values)
        .containsExactly(
            Map.entry("EARLY", "$(LATE)"),
            Map.entry("LATE", "2"),
            Map.entry("RANK", "annotation"),
            Map.entry("ALL", "1-annotation-$(ALL)"),
            Map.entry("AFTER", "2"),
            Map.entry("NO_VALUE", ""));
  }

  @Test
  void expandsEachArgumentOnItsOwn() {
    Map<String, String> variables = Map.of("A", "a b");

    assertThat(VariableExpansion.expandAll(List.of("--x=$(A)", "$(B)"), variables))
        .containsExactly("--x=a b", "$(B)");
    assertThat(VariableExpansion.expandAll(null, variables)).isEmpty();
  }

  private static String annotationsOnly(EnvVarSource source) {
    return source.getFieldRef().getFieldPath().startsWith("metadata.annotations")
        ? "annotation"
        : null;
  }

  private static EnvVar plain(String name, String value) {
    return new EnvVarBuilder().withName(name).withValue(value).build();
  }

  private static EnvVar from(String name, String field) {
    return new EnvVarBuilder()
        .withName(name)
        .withValueFrom(
            new EnvVarSourceBuilder().withNewFieldRef().withFieldPath(field).endFieldRef().build())
        .build();
  }
}
