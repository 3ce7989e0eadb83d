package dev.waymark.controller.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.conformance.ConformanceFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the controller may do beyond what upstream lets its own do. */
class RightsTest {

  private static final Path OWN = Helm.CHART.resolve("files/cluster-role.yaml");
  private static final Path UPSTREAMS = ConformanceFolder.PATH.resolve("harness/role.yaml");
  private static final Path PAGE = Path.of("../docs/COMPATIBILITY.md");

  /** As in {@code | `pods`: get, list | why |}. */
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([\\w.]+)`: ([a-z, ]+) \\| .+ \\|$");

  @Test
  void eachHasItsReasonOnThePage() throws IOException {
    Map<String, Set<String>> beyond = rights(OWN);
    rights(UPSTREAMS).forEach((resource, verbs) -> remove(beyond, resource, verbs));

    Map<String, Set<String>> explained = new TreeMap<>();
    for (MatchResult row : ROW.matcher(Files.readString(PAGE)).results().toList()) {
      explained.put(row.group(1), new TreeSet<>(List.of(row.group(2).split(", "))));
    }
    assertThat(explained).isNotEmpty().isEqualTo(beyond);
  }

  /** Verbs by resource, named as kubectl does: {@code leases.coordination.k8s.io}. */
  private static Map<String, Set<String>> rights(Path file) throws IOException {
    Map<String, Set<String>> rights = new TreeMap<>();
    for (JsonNode rule : Manifest.yaml(Files.readString(file)).path("rules")) {
      for (JsonNode group : rule.path("apiGroups")) {
        for (JsonNode resource : rule.path("resources")) {
          String suffix = group.asText().isEmpty() ? "" : "." + group.asText();
          Set<String> verbs =
              rights.computeIfAbsent(resource.asText() + suffix, name -> new TreeSet<>());
          rule.path("verbs").forEach(verb -> verbs.add(verb.asText()));
        }
      }
    }
    return rights;
  }

  private static void remove(Map<String, Set<String>> rights, String resource, Set<String> verbs) {
    Set<String> left = rights.get(resource);
    if (left != null) {
      left.removeAll(verbs);
      if (left.isEmpty()) {
        rights.remove(resource);
      }
    }
  }
}
