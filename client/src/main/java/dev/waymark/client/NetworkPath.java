package dev.waymark.client;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicySpec;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Connections between pods, and whether NetworkPolicies let them pass, as Kubernetes reads them
 * (networking.k8s.io/v1): a pod that no policy chooses is open; where some do, what one of them
 * allows passes, and no more.
 *
 * @param from whose pods connect
 * @param to whose pods are connected to
 * @param protocol TCP or UDP
 * @param port of the pods, not of a Service
 */
record NetworkPath(End from, End to, String protocol, int port) {

  /**
   * Pods at one end.
   *
   * @param podLabels those of all of them, or null where they aren't known
   */
  record End(String namespace, Map<String, String> namespaceLabels, Map<String, String> podLabels) {

    /** Pods of a namespace of which no more is known than its name. */
    static End of(String namespace) {
      return new End(namespace, Map.of("kubernetes.io/metadata.name", namespace), null);
    }
  }

  /** What is to be expected of connections. */
  enum Passage {
    OPEN,
    CLOSED,
    /** On labels or addresses that aren't known. */
    DEPENDS
  }

  private enum Answer {
    NO,
    MAYBE,
    YES;

    Answer and(Answer other) {
      return compareTo(other) < 0 ? this : other;
    }
  }

  private record Rule(List<NetworkPolicyPeer> peers, List<NetworkPolicyPort> ports) {}

  /**
   * Out of the pods that connect.
   *
   * @param policies those of their namespace
   */
  Passage out(List<NetworkPolicy> policies) {
    return passage(
        policies.stream().filter(NetworkPath::limitsEgress).toList(), from, to, this::egress);
  }

  /**
   * Into the pods that are connected to.
   *
   * @param policies those of their namespace
   */
  Passage in(List<NetworkPolicy> policies) {
    return passage(
        policies.stream().filter(NetworkPath::limitsIngress).toList(), to, from, this::ingress);
  }

  private Passage passage(
      List<NetworkPolicy> policies,
      End chosen,
      End other,
      Function<NetworkPolicySpec, List<Rule>> rules) {
    boolean isChosen = false;
    boolean mayBeClosed = false;
    boolean mayBeOpen = false;
    for (NetworkPolicy policy : policies) {
      Answer chooses = matches(policy.getSpec().getPodSelector(), chosen.podLabels());
      if (chooses != Answer.NO) {
        Answer allows =
            rules.apply(policy.getSpec()).stream()
                .map(rule -> allows(rule, chosen.namespace(), other))
                .max(Answer::compareTo)
                .orElse(Answer.NO);
        if (chooses == Answer.YES && allows == Answer.YES) {
          return Passage.OPEN;
        }
        isChosen |= chooses == Answer.YES;
        mayBeClosed |= allows != Answer.YES;
        mayBeOpen |= allows != Answer.NO;
      }
    }
    if (!isChosen && !mayBeClosed) {
      return Passage.OPEN;
    }
    return isChosen && !mayBeOpen ? Passage.CLOSED : Passage.DEPENDS;
  }

  /** The API server writes down what a policy is for; a file may leave it to the rules. */
  private static boolean limitsEgress(NetworkPolicy policy) {
    List<String> types = policy.getSpec().getPolicyTypes();
    return types == null || types.isEmpty()
        ? !policy.getSpec().getEgress().isEmpty()
        : types.contains("Egress");
  }

  private static boolean limitsIngress(NetworkPolicy policy) {
    List<String> types = policy.getSpec().getPolicyTypes();
    return types == null || types.isEmpty() || types.contains("Ingress");
  }

  private List<Rule> egress(NetworkPolicySpec policy) {
    return policy.getEgress().stream().map(it -> new Rule(it.getTo(), it.getPorts())).toList();
  }

  private List<Rule> ingress(NetworkPolicySpec policy) {
    return policy.getIngress().stream().map(it -> new Rule(it.getFrom(), it.getPorts())).toList();
  }

  /** Of a list the best answer counts; one that is empty allows all. */
  private Answer allows(Rule rule, String policyNamespace, End other) {
    Answer peer =
        rule.peers().stream()
            .map(it -> allows(it, policyNamespace, other))
            .max(Answer::compareTo)
            .orElse(Answer.YES);
    Answer port = rule.ports().stream().map(this::allows).max(Answer::compareTo).orElse(Answer.YES);
    return peer.and(port);
  }

  private static Answer allows(NetworkPolicyPeer peer, String policyNamespace, End other) {
    if (peer.getIpBlock() != null) {
      boolean isEverywhere =
          List.of("0.0.0.0/0", "::/0").contains(peer.getIpBlock().getCidr())
              && peer.getIpBlock().getExcept().isEmpty();
      return isEverywhere ? Answer.YES : Answer.MAYBE;
    }
    Answer namespace;
    if (peer.getNamespaceSelector() == null) {
      namespace = policyNamespace.equals(other.namespace()) ? Answer.YES : Answer.NO;
    } else {
      namespace = matches(peer.getNamespaceSelector(), other.namespaceLabels());
    }
    return namespace.and(matches(peer.getPodSelector(), other.podLabels()));
  }

  private Answer allows(NetworkPolicyPort allowed) {
    String of = allowed.getProtocol() == null ? "TCP" : allowed.getProtocol();
    if (!of.equals(protocol)) {
      return Answer.NO;
    }
    IntOrString number = allowed.getPort();
    if (number == null) {
      return Answer.YES;
    } else if (number.getIntVal() == null) {
      return Answer.MAYBE; // the name of a container's port
    }
    int last = allowed.getEndPort() == null ? number.getIntVal() : allowed.getEndPort();
    return number.getIntVal() <= port && port <= last ? Answer.YES : Answer.NO;
  }

  /** No selector, and an empty one, choose all. */
  private static Answer matches(LabelSelector selector, Map<String, String> labels) {
    if (selector == null
        || (selector.getMatchExpressions().isEmpty() && isEmpty(selector.getMatchLabels()))) {
      return Answer.YES;
    } else if (labels == null) {
      return Answer.MAYBE;
    }
    boolean matches =
        (isEmpty(selector.getMatchLabels())
                || labels.entrySet().containsAll(selector.getMatchLabels().entrySet()))
            && selector.getMatchExpressions().stream().allMatch(it -> matches(it, labels));
    return matches ? Answer.YES : Answer.NO;
  }

  private static boolean matches(LabelSelectorRequirement required, Map<String, String> labels) {
    String value = labels.get(required.getKey());
    return switch (required.getOperator()) {
      case "In" -> value != null && required.getValues().contains(value);
      case "NotIn" -> value == null || !required.getValues().contains(value);
      case "Exists" -> value != null;
      default -> value == null;
    };
  }

  private static boolean isEmpty(Map<String, String> labels) {
    return labels == null || labels.isEmpty();
  }
}
