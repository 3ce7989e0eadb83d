package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceFieldSelector;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DownwardApiTest {

  private static final DownwardApi POD =
      new DownwardApi(
          "iris-node-0-2",
          "team",
          2,
          Map.of("app", "iris"),
          Map.of("note", "hello"),
          "trainer",
          new ResourceRequirementsBuilder()
              .addToLimits("cpu", new Quantity("1500m"))
              .addToRequests("memory", new Quantity("1Gi"))
              .build(),
          new Machine(8, 32L << 30, 0, 0));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      textBlock =
          """
          metadata.name                                                    | iris-node-0-2
          metadata.namespace                                               | team
          metadata.annotations['batch.kubernetes.io/job-completion-index'] | 2
          metadata.annotations['note']                                     | hello
          metadata.annotations['other']                                    | ''
          metadata.labels['app']                                           | iris
          spec.nodeName                                                    | localhost
          spec.serviceAccountName                                          | trainer
          status.podIP                                                     | 127.0.0.1
          metadata.uid                                                     |
          """)
  void answersForAProcess(String path, String value) {
    assertThat(POD.field(path).orElse(null)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    "limits.cpu, 0, 2", // rounded up
    "limits.cpu, 1m, 1500",
    "requests.cpu, 1m, 1500", // from the limit
    "requests.memory, 1Mi, 1024",
    "limits.memory, 1Gi, 32", // the whole node
    "limits.ephemeral-storage, 1Gi,",
    "nonsense, 1,",
  })
  void answersWithTheContainersResources(String resource, String divisor, String value) {
    ResourceFieldSelector selector =
        new ResourceFieldSelector(null, new Quantity(divisor), resource);

    assertThat(POD.resource(selector).orElse(null)).isEqualTo(value);
  }
}
