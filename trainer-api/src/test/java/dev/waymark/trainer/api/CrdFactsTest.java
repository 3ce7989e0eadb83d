package dev.waymark.trainer.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.conformance.ConformanceFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The shipped CRDs say what those of kubeflow/trainer v2.3 say, but for words and two columns. */
class CrdFactsTest {

  private static final Path FACTS = ConformanceFolder.PATH.resolve("crds");
  private static final Set<String> OWN_COLUMNS = Set.of("Progress", "ETA");

  @ParameterizedTest
  @MethodSource("names")
  void saysWhatUpstreamSays(String name) throws IOException {
    Map<String, Object> facts = Crds.read(Files.readString(FACTS.resolve(name + ".yaml")));
    Map<String, Object> own = Crds.read(CustomResourceDefinitions.yaml(name));

    assertThat(own)
        .extractingByKeys("apiVersion", "kind")
        .containsExactly("apiextensions.k8s.io/v1", "CustomResourceDefinition");
    assertThat(Crds.map(own, "metadata"))
        .isEqualTo(
            Map.of(
                "name",
                name,
                "annotations",
                Map.of(
                    CustomResourceDefinitions.REVISION_ANNOTATION,
                    String.valueOf(CustomResourceDefinitions.REVISION))));
    assertThat(statements(own.get("spec"), "spec"))
        .isEqualTo(statements(facts.get("spec"), "spec"));
  }

  @ParameterizedTest
  @MethodSource("names")
  void isDescribedInTheProjectsOwnWords(String name) {
    Map<String, Object> schema = Crds.schema(name);

    assertThat(schema).containsKey("description");
    assertThat(Crds.map(Crds.map(schema, "properties"), "spec")).containsKey("description");
    assertThat(CustomResourceDefinitions.yaml(name)).doesNotContain("controller-gen");
  }

  static Stream<String> names() {
    return CustomResourceDefinitions.names().stream();
  }

  /** A controller takes what has the same revision for the same. */
  @Test
  void hasTheContentOfItsRevision() throws Exception {
    MessageDigest content = MessageDigest.getInstance("SHA-256");
    CustomResourceDefinitions.names()
        .forEach(name -> content.update(CustomResourceDefinitions.yaml(name).getBytes(UTF_8)));

    assertThat(HexFormat.of().formatHex(content.digest(), 0, 8))
        .as("The definitions have changed: raise REVISION and their annotations, then write this")
        .isEqualTo("5f5aba9d45848e5a");
  }

  @Test
  void showsTheProgress() {
    assertThat(Crds.columns("trainjobs.trainer.kubeflow.org"))
        .extracting(column -> column.get("name") + " " + column.get("jsonPath"))
        .containsExactly(
            "State .status.conditions[-1:].type",
            "Progress .status.trainerStatus.progressPercentage",
            "ETA .status.trainerStatus.estimatedRemainingSeconds",
            "Age .metadata.creationTimestamp");
  }

  @Test
  void knowsNoOtherNames() {
    assertThatThrownBy(() -> CustomResourceDefinitions.yaml("pods"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("pods: one of clustertrainingruntimes.trainer.kubeflow.org, ");
  }

  /**
   * All but descriptions and the project's own columns. A description is text: a property of that
   * name is a schema.
   */
  private static Object statements(Object value, String name) {
    if (value instanceof Map<?, ?> map) {
      Map<Object, Object> kept = new LinkedHashMap<>();
      map.forEach(
          (key, field) -> {
            if (!(key.equals("description") && field instanceof String)) {
              kept.put(key, statements(field, (String) key));
            }
          });
      return kept;
    } else if (value instanceof List<?> list) {
      List<Object> kept = new ArrayList<>();
      for (Object item : list) {
        boolean own =
            name.equals("additionalPrinterColumns")
                && item instanceof Map<?, ?> column
                && OWN_COLUMNS.contains(column.get("name"));
        if (!own) {
          kept.add(statements(item, ""));
        }
      }
      return kept;
    }
    return value;
  }
}
