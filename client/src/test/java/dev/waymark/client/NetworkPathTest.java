package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.client.NetworkPath.End;
import dev.waymark.client.NetworkPath.Passage;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicySpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From pods of team-a, whose labels nobody knows, to a controller in kubeflow-system. */
class NetworkPathTest {

  private static final NetworkPath REPORTS =
      new NetworkPath(
          End.of("team-a"),
          new End(
              "kubeflow-system",
              Map.of("kubernetes.io/metadata.name", "kubeflow-system", "role", "system"),
              Map.of("app", "trainer")),
          "TCP",
          10443);

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # specs of team-a's policies, with ; between them                              | passage
          ''                                                                             | OPEN
          {policyTypes: [Ingress]}                                                       | OPEN
          # All is closed
          {policyTypes: [Egress]}                                                        | CLOSED
          {policyTypes: [Ingress, Egress]}                                               | CLOSED
          {policyTypes: [Egress], podSelector: {}}                                       | CLOSED
          # Another one opens it, or a rule of the same one
          {policyTypes: [Egress]}; {policyTypes: [Egress], egress: [{}]}                 | OPEN
          {policyTypes: [Egress], egress: [{ports: [{port: 53, protocol: UDP}]}, {ports: [{port: 10443}]}]} | OPEN
          {egress: [{ports: [{port: 443}]}]}                                             | CLOSED
          # Ports
          {policyTypes: [Egress], egress: [{ports: [{port: 10443, protocol: UDP}]}]}     | CLOSED
          {policyTypes: [Egress], egress: [{ports: [{protocol: TCP}]}]}                  | OPEN
          {policyTypes: [Egress], egress: [{ports: [{port: 10000, endPort: 11000}]}]}    | OPEN
          {policyTypes: [Egress], egress: [{ports: [{port: 10000, endPort: 10442}]}]}    | CLOSED
          {policyTypes: [Egress], egress: [{ports: [{port: status-server}]}]}            | DEPENDS
          # To whom
          {policyTypes: [Egress], egress: [{to: [{podSelector: {}}]}]}                   | CLOSED
          {policyTypes: [Egress], egress: [{to: [{namespaceSelector: {}}]}]}             | OPEN
          {policyTypes: [Egress], egress: [{to: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: kubeflow-system}}}]}]} | OPEN
          {policyTypes: [Egress], egress: [{to: [{namespaceSelector: {matchLabels: {role: other}}}]}]} | CLOSED
          {policyTypes: [Egress], egress: [{to: [{namespaceSelector: {matchExpressions: [{key: role, operator: In, values: [system, x]}]}}]}]} | OPEN
          {policyTypes: [Egress], egress: [{to: [{namespaceSelector: {matchExpressions: [{key: role, operator: NotIn, values: [system]}]}}]}]} | CLOSED
          {policyTypes: [Egress], egress: [{to: [{namespaceSelector: {matchExpressions: [{key: role, operator: Exists}]}}]}]} | OPEN
          {policyTypes: [Egress], egress: [{to: [{namespaceSelector: {matchExpressions: [{key: role, operator: DoesNotExist}]}}]}]} | CLOSED
          {policyTypes: [Egress], egress: [{to: [{namespaceSelector: {}, podSelector: {matchLabels: {app: trainer}}}]}]} | OPEN
          {policyTypes: [Egress], egress: [{to: [{namespaceSelector: {}, podSelector: {matchLabels: {app: web}}}]}]} | CLOSED
          {policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 0.0.0.0/0}}]}]}        | OPEN
          {policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 0.0.0.0/0, except: [10.0.0.0/8]}}]}]} | DEPENDS
          {policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 10.0.0.0/8}}]}]}       | DEPENDS
          # For whom: the pods' own labels aren't known
          {policyTypes: [Egress], podSelector: {matchLabels: {app: web}}}                | DEPENDS
          {policyTypes: [Egress], podSelector: {matchLabels: {app: web}}, egress: [{}]}  | OPEN
          {policyTypes: [Egress]}; {policyTypes: [Egress], podSelector: {matchLabels: {app: web}}, egress: [{}]} | DEPENDS
          """)
  void outOfANamespace(String policies, Passage passage) {
    assertThat(REPORTS.out(policies(policies))).isEqualTo(passage);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # specs of kubeflow-system's policies, with ; between them                     | passage
          ''                                                                             | OPEN
          {policyTypes: [Egress]}                                                        | OPEN
          # The default of many installations of Kubeflow (kubeflow/trainer#3345)
          {policyTypes: [Ingress]}                                                       | CLOSED
          {}                                                                             | CLOSED
          {policyTypes: [Ingress], ingress: [{from: [{podSelector: {}}]}]}               | CLOSED
          # Waymark's own chart
          {policyTypes: [Ingress]}; {policyTypes: [Ingress], podSelector: {matchLabels: {app: trainer}}, ingress: [{ports: [{port: 10443, protocol: TCP}]}]} | OPEN
          {policyTypes: [Ingress], podSelector: {matchLabels: {app: other}}}             | OPEN
          {policyTypes: [Ingress], ingress: [{from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: team-a}}}]}]} | OPEN
          {policyTypes: [Ingress], ingress: [{from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: team-b}}}]}]} | CLOSED
          {policyTypes: [Ingress], ingress: [{from: [{namespaceSelector: {}, podSelector: {matchLabels: {app: job}}}]}]} | DEPENDS
          """)
  void intoTheControllersNamespace(String policies, Passage passage) {
    assertThat(REPORTS.in(policies(policies))).isEqualTo(passage);
  }

  private static List<NetworkPolicy> policies(String specs) {
    return Arrays.stream(specs.split(";", -1))
        .map(String::strip)
        .filter(it -> !it.isEmpty())
        .map(NetworkPathTest::policy)
        .toList();
  }

  private static NetworkPolicy policy(String spec) {
    NetworkPolicy policy = new NetworkPolicy();
    policy.setSpec(Samples.yaml(spec, NetworkPolicySpec.class));
    return policy;
  }
}
